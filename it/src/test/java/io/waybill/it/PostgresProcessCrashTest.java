package io.waybill.it;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

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
