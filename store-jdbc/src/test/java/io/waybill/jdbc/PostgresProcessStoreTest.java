package io.waybill.jdbc;

import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessStoreContract;
import io.waybill.testkit.services.Postgres;

class PostgresProcessStoreTest extends ProcessStoreContract {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(Postgres.shared().newDatabase()).processes();
    }
}
