package io.waybill.it;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

class PostgresCrashTest extends CrashContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
