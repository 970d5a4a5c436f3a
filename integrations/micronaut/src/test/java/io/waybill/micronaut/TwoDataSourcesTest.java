package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.command.IdempotencyKey;
import io.waybill.inbox.Received;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.micronaut.health.WaybillReadiness;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An instance on each of two data sources, or on the one that was chosen. */
final class TwoDataSourcesTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestDatabase shop = H2.newDatabase();
    private final TestDatabase reports = H2.newDatabase();

    @AfterEach
    void stop() {
        shop.close();
        reports.close();
    }

    @Test
    void each_has_its_own_outbox_handlers_and_tables() throws SQLException {
        try (var context = application(Map.of(
                "waybill.data-source", "default",
                "waybill.data-sources.reports.outbox.batch-size", 7,
                "spec", "two"))) {
            var writer = context.getBean(Reports.class);
            writer.transactions.inTransaction(transaction ->
                    writer.outbox.append(Message.event("Ready", "{}").to("reports.ready")));
            writer.commands
                    .send(new WriteReportCommand("year"), new IdempotencyKey("year"))
                    .await(SOON);
            context.getBean(CommandBus.class)
                    .send(new ReserveStockCommand("lamp", 1), new IdempotencyKey("lamp"))
                    .await(SOON);

            await().atMost(SOON).untilAsserted(() -> assertThat(writer.heard).containsExactly("Ready"));
            assertThat(reports.rows("SELECT type FROM command")).containsExactly("WriteReport");
            assertThat(shop.rows("SELECT type FROM command")).containsExactly("ReserveStock");
            assertThat(context.getBean(Waybill.class))
                    .isNotSameAs(context.getBean(Waybill.class, Qualifiers.byName("reports")));
            assertThat(context.getBean(MicronautInstances.class).all())
                    .extracting(instance -> instance.settings().relay().batchSize())
                    .containsExactly(2_000, 7);
            assertThat(context.getBean(WaybillReadiness.class).getHealthInformation())
                    .containsOnlyKeys("default", "reports");
        }
    }

    @Test
    void one_of_them_may_be_chosen() throws SQLException {
        try (var context = application(Map.of("waybill.data-source", "reports", "spec", "chosen"))) {
            context.getBean(Transactions.class)
                    .inTransaction(transaction -> context.getBean(Outbox.class)
                            .append(Message.event("Ready", "{}").to("nobody.here")));

            assertThat(reports.rows("SELECT type FROM outbox")).containsExactly("Ready");
            assertThat(shop.rows("SELECT table_name FROM information_schema.tables WHERE table_name = 'outbox'"))
                    .isEmpty();
        }
    }

    @Test
    void what_is_wrong_with_either_is_told_at_once() {
        assertThatThrownBy(() -> application(Map.of(
                                "waybill.data-source", "default",
                                "waybill.initialize-schema", "never",
                                "waybill.data-sources.reports.outbox.batch-size", 0,
                                "spec", "astray"))
                        .close())
                .hasStackTraceContaining("wrong in 3 places")
                .hasStackTraceContaining("waybill.data-sources.reports.outbox.batch-size is '0'")
                .hasStackTraceContaining("waybill.initialize-schema is 'never'. The tables do not fit")
                .hasStackTraceContaining("@OnDataSource(\"archive\") on " + Astray.class.getName());
    }

    private ApplicationContext application(Map<String, Object> more) {
        var all = new HashMap<>(more);
        Map.of("default", shop, "reports", reports).forEach((name, database) -> {
            all.put("datasources." + name + ".url", database.jdbcUrl());
            all.put("datasources." + name + ".username", database.user());
            all.put("datasources." + name + ".password", "");
        });
        return ApplicationContext.run(all);
    }

    /** Works where there is no instance. */
    @Singleton
    @OnDataSource("archive")
    @Requires(property = "spec", value = "astray")
    public static class Astray {
        @SubscribeTo("reports.ready")
        public void hear(String ready) {}
    }

    /** Writes a report. */
    public record WriteReportCommand(String name) implements DomainCommand {}

    /** Works on the second data source. */
    @Singleton
    @OnDataSource("reports")
    @Requires(property = "spec", value = "two")
    public static class Reports {
        final List<String> heard = new CopyOnWriteArrayList<>();
        final Outbox outbox;
        final CommandBus commands;
        final Transactions transactions;

        Reports(
                @Named("reports") Outbox outbox,
                @Named("reports") CommandBus commands,
                @Named("reports") Transactions transactions) {
            this.outbox = outbox;
            this.commands = commands;
            this.transactions = transactions;
        }

        public void write(WriteReportCommand command) {}

        @SubscribeTo("reports.ready")
        public void hear(Received<String> ready) {
            heard.add(ready.message().type());
        }
    }
}
