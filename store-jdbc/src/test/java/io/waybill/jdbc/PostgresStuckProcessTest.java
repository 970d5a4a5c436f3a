package io.waybill.jdbc;

class PostgresStuckProcessTest extends StuckProcessContract {

    @Override
    JdbcFixture open() {
        return JdbcFixture.in(PostgresWithSchema.newDatabase());
    }
}
