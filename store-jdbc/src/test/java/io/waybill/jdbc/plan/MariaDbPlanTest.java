package io.waybill.jdbc.plan;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.testkit.services.database.MariaDb;

class MariaDbPlanTest extends PlanContract {

    MariaDbPlanTest() {
        super(Dialect.MARIADB, MariaDb.shared().newDatabase());
    }
}
