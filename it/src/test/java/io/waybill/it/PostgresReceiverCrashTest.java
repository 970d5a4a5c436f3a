package io.waybill.it;

import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;

class PostgresReceiverCrashTest extends ReceiverCrashContract {

    @Override
    TestDatabase newDatabase() {
        return Postgres.shared().newDatabase();
    }
}
