package io.waybill.jdbc.schema;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresAdoptionTest extends AdoptionContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }

    @Override
    String guideOutbox() {
        return "CREATE TABLE outbox (outbox_id UUID PRIMARY KEY, category VARCHAR(20) NOT NULL, destination VARCHAR(200)"
                + " NOT NULL, payload TEXT NOT NULL, status VARCHAR(20) NOT NULL, retry_count INT,"
                + " created_at TIMESTAMP NOT NULL)";
    }

    @Override
    String secondsAgo(int seconds) {
        return "now() - interval '" + seconds + " seconds'";
    }
}
