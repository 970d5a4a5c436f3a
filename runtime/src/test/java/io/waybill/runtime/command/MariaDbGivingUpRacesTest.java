package io.waybill.runtime.command;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

final class MariaDbGivingUpRacesTest extends GivingUpRaces {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
