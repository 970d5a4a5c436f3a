package io.waybill.jdbc.schema;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2AdoptionTest extends OutboxAdoptionContract {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }

    @Override
    String guideOutbox() {
        return "CREATE TABLE outbox (outbox_id UUID PRIMARY KEY, category VARCHAR(20) NOT NULL, destination VARCHAR(200)"
                + " NOT NULL, payload CLOB NOT NULL, status VARCHAR(20) NOT NULL, retry_count INT,"
                + " created_at TIMESTAMP NOT NULL)";
    }

    @Override
    String secondsAgo(int seconds) {
        return "DATEADD(SECOND, -" + seconds + ", LOCALTIMESTAMP)";
    }
}
