package io.waybill.micronaut;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.TestDatabase;

final class H2ApplicationTest extends ApplicationContract {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
