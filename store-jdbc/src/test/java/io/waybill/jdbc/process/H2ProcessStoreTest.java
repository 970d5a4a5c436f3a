package io.waybill.jdbc.process;

import io.waybill.jdbc.JdbcFixture;
import io.waybill.testkit.contract.process.ProcessFixture;
import io.waybill.testkit.contract.process.ProcessStoreContracts;
import io.waybill.testkit.services.H2;

class H2ProcessStoreTest extends ProcessStoreContracts {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(H2.newDatabase()).processes();
    }
}
