package io.waybill.jdbc.schema.guide;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2GuideProcessQueriesTest extends GuideProcessQueries {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }

    @Override
    String fiveMinutes() {
        return "INTERVAL '5' MINUTE";
    }
}
