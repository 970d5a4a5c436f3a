package io.waybill.jdbc.schema;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.TestDatabase;

class MariaDbSchemaTest extends SchemaContract {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
