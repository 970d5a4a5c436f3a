package io.waybill.jdbc.process;

import io.waybill.jdbc.JdbcFixture;
import io.waybill.testkit.services.H2;

class H2StuckProcessTest extends StuckProcessContract {

    @Override
    JdbcFixture open() {
        return JdbcFixture.in(H2.newDatabase());
    }
}
