package io.waybill.runtime.command;

import io.waybill.jdbc.PostgresWithSchema;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresGivingUpRacesTest extends GivingUpRaces {

    @Override
    TestDatabase newDatabase() {
        return PostgresWithSchema.newDatabase();
    }
}
