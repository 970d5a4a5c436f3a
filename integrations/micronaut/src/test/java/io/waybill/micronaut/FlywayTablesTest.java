package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.waybill.command.CommandBus;
import io.waybill.command.IdempotencyKey;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;
import io.waybill.micronaut.shop.Ledger;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables that somebody else makes. */
final class FlywayTablesTest {

    private final TestDatabase database = Postgres.shared().newDatabase();

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void flyway_makes_the_tables_from_one_more_location() {
        try (var context = application(Map.of(
                "flyway.datasources.default.enabled",
                true,
                "flyway.datasources.default.locations",
                List.of("classpath:io/waybill/schema/postgresql"),
                "flyway.datasources.default.placeholders.prefix",
                "",
                "waybill.initialize-schema",
                "never"))) {
            context.getBean(CommandBus.class)
                    .send(new ReserveStockCommand("lamp", 1), new IdempotencyKey("lamp"))
                    .await(Duration.ofSeconds(30));

            Ledger ledger = context.getBean(Ledger.class);
            assertThat(ledger.lines()).contains("reserve lamp");
            assertThat(ledger.count("flyway_schema_history")).isGreaterThanOrEqualTo(6);
            assertThat(ledger.count("information_schema.tables WHERE table_name = 'waybill_schema'"))
                    .isZero();
        }
    }

    @Test
    void the_application_numbers_its_migrations_as_it_likes_beside_the_history_of_waybill() throws SQLException {
        Map<String, Object> numbered = Map.of(
                "flyway.datasources.default.enabled",
                true,
                "flyway.datasources.default.locations",
                List.of("classpath:db/guide"));
        for (int start = 1; start <= 2; start++) {
            try (var context = application(numbered)) {
                Ledger ledger = context.getBean(Ledger.class);
                assertThat(ledger.count("flyway_schema_history WHERE success AND version IN ('1', '2', '3')"))
                        .isEqualTo(3);
                assertThat(ledger.count("account")).isZero();
                assertThat(ledger.count("operation_log")).isZero();
                assertThat(ledger.count("waybill_schema")).isGreaterThanOrEqualTo(7);
            }
            // What an upgrade finds: the script of the new version has not run yet.
            try (var connection = database.dataSource().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("DROP TABLE operation_log");
                assertThat(statement.executeUpdate("DELETE FROM waybill_schema WHERE version LIKE 'V011%'"))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void tables_that_are_missing_fail_the_start() {
        assertThatThrownBy(() -> application(Map.of("waybill.initialize-schema", "never"))
                        .close())
                .hasStackTraceContaining("outbox");
    }

    private ApplicationContext application(Map<String, Object> more) {
        var all = new HashMap<String, Object>(more);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", database.password());
        return ApplicationContext.run(all);
    }
}
