package io.waybill.plain;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

final class PostgresCommandsTest extends CommandsEndToEnd {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
