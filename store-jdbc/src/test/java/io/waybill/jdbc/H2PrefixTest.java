package io.waybill.jdbc;

import io.waybill.testkit.contract.outbox.OutboxStoreContract;
import io.waybill.testkit.contract.support.StoreFixture;
import io.waybill.testkit.services.H2;

/** Every statement has the prefix. */
class H2PrefixTest extends OutboxStoreContract {

    @Override
    protected StoreFixture open() {
        return JdbcFixture.withPrefix("wb_", H2.newDatabase());
    }
}
