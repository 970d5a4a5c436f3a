package io.waybill.console.process;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2ProcessConsoleTest extends ProcessConsoleContract {
    @Override
    protected TestDatabase open() {
        return H2.newDatabase();
    }
}
