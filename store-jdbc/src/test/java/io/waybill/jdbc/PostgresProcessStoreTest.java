package io.waybill.jdbc;

import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessStoreContracts;

class PostgresProcessStoreTest extends ProcessStoreContracts {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(PostgresWithSchema.newDatabase()).processes();
    }
}
