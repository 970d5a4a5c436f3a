package io.waybill.jdbc.process;

import io.waybill.jdbc.JdbcFixture;
import io.waybill.testkit.services.database.MariaDb;

class MariaDbStuckProcessTest extends StuckProcessContract {

    @Override
    JdbcFixture open() {
        return JdbcFixture.in(MariaDb.shared().newDatabase());
    }
}
