package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.waybill.command.CommandBus;
import io.waybill.command.IdempotencyKey;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;
import io.waybill.micronaut.shop.Ledger;
import io.waybill.process.ProcessManager;
import io.waybill.testkit.contract.framework.FrameworkTablesContract;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables that somebody else makes. */
final class FlywayTablesTest extends FrameworkTablesContract {

    private final TestDatabase database = Postgres.shared().newDatabase();

    @AfterEach
    void stop() {
        database.close();
    }

    @Override
    protected Application start(TestDatabase migrated) {
        return new Running(application(
                migrated,
                Map.of(
                        "flyway.datasources.default.enabled",
                        true,
                        "flyway.datasources.default.locations",
                        List.of("classpath:io/waybill/testkit/guide"),
                        "waybill.routes.accounts.*",
                        "stdout:",
                        "spec",
                        "framework")));
    }

    private record Running(ApplicationContext context) implements Application {
        @Override
        public CommandBus commandBus() {
            return context.getBean(CommandBus.class);
        }

        @Override
        public ProcessManager processManager() {
            return context.getBean(ProcessManager.class);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @Test
    void flyway_makes_the_tables_from_one_more_location() {
        try (var context = application(
                database,
                Map.of(
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
    void tables_that_are_missing_fail_the_start() {
        assertThatThrownBy(() -> application(database, Map.of("waybill.initialize-schema", "never"))
                        .close())
                .hasStackTraceContaining("outbox");
    }

    private static ApplicationContext application(TestDatabase database, Map<String, Object> more) {
        var all = new HashMap<String, Object>(more);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", database.password());
        return ApplicationContext.run(all);
    }
}
