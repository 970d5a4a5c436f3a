package io.waybill.jdbc;

import io.waybill.testkit.services.H2;

class H2StuckProcessTest extends StuckProcessContract {

    @Override
    JdbcFixture open() {
        return JdbcFixture.in(H2.newDatabase());
    }
}
