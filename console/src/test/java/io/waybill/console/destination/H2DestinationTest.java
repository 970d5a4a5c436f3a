package io.waybill.console.destination;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2DestinationTest extends DestinationContract {
    @Override
    TestDatabase open() {
        return H2.newDatabase();
    }
}
