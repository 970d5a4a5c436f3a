package io.waybill.jdbc;

import io.waybill.testkit.services.database.MariaDb;

class MariaDbStuckProcessTest extends StuckProcessContract {

    @Override
    JdbcFixture open() {
        return JdbcFixture.in(MariaDb.shared().newDatabase());
    }
}
