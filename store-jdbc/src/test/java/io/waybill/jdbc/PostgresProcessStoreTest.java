package io.waybill.jdbc;

import io.waybill.testkit.contract.process.ProcessFixture;
import io.waybill.testkit.contract.process.ProcessStoreContracts;

class PostgresProcessStoreTest extends ProcessStoreContracts {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(PostgresWithSchema.newDatabase()).processes();
    }
}
