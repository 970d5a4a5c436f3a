package io.waybill.it.crash;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresCrashTest extends CrashContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
