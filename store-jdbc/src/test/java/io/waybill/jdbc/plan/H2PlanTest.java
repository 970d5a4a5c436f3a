package io.waybill.jdbc.plan;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.testkit.services.H2;

class H2PlanTest extends PlanContract {

    H2PlanTest() {
        super(Dialect.H2, H2.newDatabase());
    }
}
