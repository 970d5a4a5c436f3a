package io.waybill.runtime.command;

import io.waybill.jdbc.PostgresWithSchema;
import io.waybill.testkit.services.database.TestDatabase;

final class PostgresCommandsTest extends CommandsEndToEnd {

    @Override
    TestDatabase newDatabase() {
        return PostgresWithSchema.newDatabase();
    }
}
