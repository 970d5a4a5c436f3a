package io.waybill.console;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresConsoleTest extends ConsoleContract {
    @Override
    protected TestDatabase open() {
        return Postgres.shared().newDatabase();
    }
}
