package io.waybill.plain;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.TestDatabase;

final class MariaDbLostAnswersTest extends LostAnswersOfTheNetwork {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
