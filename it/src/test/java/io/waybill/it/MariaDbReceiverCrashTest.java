package io.waybill.it;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.TestDatabase;

class MariaDbReceiverCrashTest extends ReceiverCrashContract {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
