package io.waybill.plain;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.TestDatabase;

final class MariaDbGivingUpRacesTest extends GivingUpRaces {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
