package io.waybill.micronaut;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

final class PostgresApplicationTest extends ApplicationContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
