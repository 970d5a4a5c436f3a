package io.waybill.jdbc.schema;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2SchemaTest extends SchemaContract {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
