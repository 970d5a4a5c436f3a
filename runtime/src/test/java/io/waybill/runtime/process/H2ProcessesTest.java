package io.waybill.runtime.process;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2ProcessesTest extends ProcessesEndToEnd {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
