package io.waybill.console.large;

import io.waybill.testkit.services.database.Postgres;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "waybill.console.scale", matches = ".+")
class PostgresLargeTablesTest extends LargeTablesContract {
    PostgresLargeTablesTest() {
        super(Postgres.shared().newDatabase());
    }
}
