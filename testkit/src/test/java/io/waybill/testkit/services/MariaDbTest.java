package io.waybill.testkit.services;

class MariaDbTest extends DatabaseRoundTrip {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
