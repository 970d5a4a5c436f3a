package io.waybill.testkit.services;

class H2Test extends DatabaseRoundTrip {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
