package io.waybill.jdbc.schema.guide;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

class MariaDbGuideProcessQueriesTest extends GuideProcessQueries {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }

    @Override
    String fiveMinutes() {
        return "INTERVAL 5 MINUTE";
    }
}
