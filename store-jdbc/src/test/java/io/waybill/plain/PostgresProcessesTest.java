package io.waybill.plain;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

final class PostgresProcessesTest extends ProcessesEndToEnd {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
