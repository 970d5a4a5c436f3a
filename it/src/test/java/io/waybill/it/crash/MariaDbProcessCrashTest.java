package io.waybill.it.crash;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** In the full profile, which says how often to kill. */
@EnabledIfSystemProperty(named = "waybill.process.kills", matches = ".+")
class MariaDbProcessCrashTest extends ProcessCrashContract {

    @Override
    TestDatabase newDatabase() {
        return MariaDb.shared().newDatabase();
    }

    @Override
    String identity() {
        return "BIGINT AUTO_INCREMENT";
    }
}
