package io.waybill.it.crash;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;

class PostgresReceiverCrashTest extends ReceiverCrashContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
