package io.waybill.jdbc;

import io.waybill.testkit.services.MariaDb;

class MariaDbStuckProcessTest extends StuckProcessContract {

    @Override
    JdbcFixture open() {
        return JdbcFixture.in(MariaDb.shared().newDatabase());
    }
}
