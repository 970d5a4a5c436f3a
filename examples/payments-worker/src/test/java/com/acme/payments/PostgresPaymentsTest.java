package com.acme.payments;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

final class PostgresPaymentsTest extends PaymentsContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
