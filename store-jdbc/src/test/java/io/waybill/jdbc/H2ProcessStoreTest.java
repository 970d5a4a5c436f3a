package io.waybill.jdbc;

import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessStoreContract;
import io.waybill.testkit.services.H2;

class H2ProcessStoreTest extends ProcessStoreContract {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(H2.newDatabase()).processes();
    }
}
