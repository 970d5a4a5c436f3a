package io.waybill.runtime.process;

import io.waybill.jdbc.PostgresWithSchema;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresProcessesTest extends ProcessesEndToEnd {

    @Override
    TestDatabase newDatabase() {
        return PostgresWithSchema.newDatabase();
    }
}
