package io.waybill.jdbc.schema.guide;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresGuideProcessQueriesTest extends GuideProcessQueries {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }

    @Override
    String fiveMinutes() {
        return "INTERVAL '5 minutes'";
    }
}
