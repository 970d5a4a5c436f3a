package io.waybill.console;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

class MariaDbConsoleTest extends ConsoleContract {
    @Override
    protected TestDatabase open() {
        return MariaDb.shared().newDatabase();
    }
}
