package io.waybill.console.destination;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresDestinationTest extends DestinationContract {
    @Override
    TestDatabase open() {
        return Postgres.shared().newDatabase();
    }
}
