package io.waybill.runtime;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

final class MariaDbLostAnswersTest extends LostAnswersOfTheNetwork {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
