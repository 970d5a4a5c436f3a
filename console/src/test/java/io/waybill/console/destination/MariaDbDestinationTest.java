package io.waybill.console.destination;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

class MariaDbDestinationTest extends DestinationContract {
    @Override
    TestDatabase open() {
        return MariaDb.shared().newDatabase();
    }
}
