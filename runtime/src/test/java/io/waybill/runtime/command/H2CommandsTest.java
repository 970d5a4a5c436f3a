package io.waybill.runtime.command;

import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;

final class H2CommandsTest extends CommandsEndToEnd {

    @Override
    TestDatabase newDatabase() {
        return H2.newDatabase();
    }
}
