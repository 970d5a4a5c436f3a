package io.waybill.testkit.services;

import io.waybill.testkit.services.database.TestDatabase;

class H2Test extends DatabaseRoundTrip {

    @Override
    public TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
