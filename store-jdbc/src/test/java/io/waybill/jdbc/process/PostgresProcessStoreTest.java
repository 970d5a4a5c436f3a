package io.waybill.jdbc.process;

import io.waybill.jdbc.JdbcFixture;
import io.waybill.jdbc.PostgresWithSchema;
import io.waybill.testkit.contract.process.ProcessFixture;
import io.waybill.testkit.contract.process.ProcessStoreContracts;

class PostgresProcessStoreTest extends ProcessStoreContracts {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(PostgresWithSchema.newDatabase()).processes();
    }
}
