package io.waybill.jdbc.ops;

import io.waybill.testkit.services.database.MariaDb;

class MariaDbMessageSearchTest extends MessageSearchContract {
    MariaDbMessageSearchTest() {
        super(MariaDb.shared().newDatabase());
    }
}
