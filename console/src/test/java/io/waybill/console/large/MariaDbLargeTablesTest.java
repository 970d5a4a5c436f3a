package io.waybill.console.large;

import io.waybill.testkit.services.database.MariaDb;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "waybill.console.scale", matches = ".+")
class MariaDbLargeTablesTest extends LargeTablesContract {
    MariaDbLargeTablesTest() {
        super(MariaDb.shared().newDatabase());
    }
}
