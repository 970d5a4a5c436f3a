package io.waybill.console.process;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresProcessConsoleTest extends ProcessConsoleContract {
    @Override
    protected TestDatabase open() {
        return Postgres.shared().newDatabase();
    }
}
