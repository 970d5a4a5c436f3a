package io.waybill.runtime;

import io.waybill.jdbc.PostgresWithSchema;
import io.waybill.testkit.services.database.TestDatabase;

final class PostgresLostAnswersTest extends LostAnswersOfTheNetwork {

    @Override
    TestDatabase newDatabase() {
        return PostgresWithSchema.newDatabase();
    }
}
