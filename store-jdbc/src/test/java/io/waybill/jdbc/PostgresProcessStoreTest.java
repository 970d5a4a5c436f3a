package io.waybill.jdbc;

import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessStoreContract;

class PostgresProcessStoreTest extends ProcessStoreContract {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(PostgresWithSchema.newDatabase()).processes();
    }
}
