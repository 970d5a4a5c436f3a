package io.waybill.micronaut;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

final class H2ApplicationTest extends ApplicationContract {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
