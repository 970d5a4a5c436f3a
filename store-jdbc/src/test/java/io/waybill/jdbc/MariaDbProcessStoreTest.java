package io.waybill.jdbc;

import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessStoreContracts;
import io.waybill.testkit.services.MariaDb;

class MariaDbProcessStoreTest extends ProcessStoreContracts {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(MariaDb.shared().newDatabase()).processes();
    }
}
