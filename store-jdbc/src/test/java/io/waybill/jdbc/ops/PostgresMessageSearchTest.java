package io.waybill.jdbc.ops;

import io.waybill.testkit.services.database.Postgres;

class PostgresMessageSearchTest extends MessageSearchContract {
    PostgresMessageSearchTest() {
        super(Postgres.shared().newDatabase());
    }
}
