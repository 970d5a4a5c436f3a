package io.waybill.it.crash;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresProcessCrashTest extends ProcessCrashContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }

    @Override
    String identity() {
        return "BIGINT GENERATED ALWAYS AS IDENTITY";
    }
}
