package io.waybill.jdbc.schema;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

class PostgresSchemaTest extends SchemaContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
