package io.waybill.jdbc.plan;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.testkit.services.database.Postgres;

class PostgresPlanTest extends PlanContract {

    PostgresPlanTest() {
        super(Dialect.POSTGRESQL, Postgres.shared().newDatabase());
    }
}
