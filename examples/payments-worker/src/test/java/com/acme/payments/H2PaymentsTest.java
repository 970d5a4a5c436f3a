package com.acme.payments;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

final class H2PaymentsTest extends PaymentsContract {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
