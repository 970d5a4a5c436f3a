package io.waybill.console.process;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

class MariaDbProcessConsoleTest extends ProcessConsoleContract {
    @Override
    protected TestDatabase open() {
        return MariaDb.shared().newDatabase();
    }
}
