package io.waybill.jdbc;

import io.waybill.testkit.contract.ProcessFixture;
import io.waybill.testkit.contract.ProcessStoreContract;
import io.waybill.testkit.services.MariaDb;

class MariaDbProcessStoreTest extends ProcessStoreContract {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(MariaDb.shared().newDatabase()).processes();
    }
}
