package io.waybill.jdbc.process;

import io.waybill.jdbc.JdbcFixture;
import io.waybill.testkit.contract.process.ProcessFixture;
import io.waybill.testkit.contract.process.ProcessStoreContracts;
import io.waybill.testkit.services.database.MariaDb;

class MariaDbProcessStoreTest extends ProcessStoreContracts {

    @Override
    protected ProcessFixture open() {
        return JdbcFixture.in(MariaDb.shared().newDatabase()).processes();
    }
}
