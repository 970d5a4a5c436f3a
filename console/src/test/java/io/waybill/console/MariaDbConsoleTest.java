package io.waybill.console;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

class MariaDbConsoleTest extends ConsoleContract {
    @Override
    TestDatabase open() {
        return MariaDb.shared().newDatabase();
    }
}
