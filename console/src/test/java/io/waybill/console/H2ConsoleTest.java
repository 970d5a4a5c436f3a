package io.waybill.console;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2ConsoleTest extends ConsoleContract {
    @Override
    protected TestDatabase open() {
        return H2.newDatabase();
    }
}
