package io.waybill.it.crash;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;

class MariaDbReceiverCrashTest extends ReceiverCrashContract {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
