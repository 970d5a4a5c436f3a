package io.waybill.plain;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.TestDatabase;

final class MariaDbProcessesTest extends ProcessesEndToEnd {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }
}
