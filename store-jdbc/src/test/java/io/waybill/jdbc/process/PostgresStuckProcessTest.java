package io.waybill.jdbc.process;

import io.waybill.jdbc.JdbcFixture;
import io.waybill.jdbc.PostgresWithSchema;

class PostgresStuckProcessTest extends StuckProcessContract {

    @Override
    JdbcFixture open() {
        return JdbcFixture.in(PostgresWithSchema.newDatabase());
    }
}
