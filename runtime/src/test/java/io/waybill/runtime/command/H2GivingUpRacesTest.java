package io.waybill.runtime.command;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

class H2GivingUpRacesTest extends GivingUpRaces {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
