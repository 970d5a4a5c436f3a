package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.PropertySource;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.micronaut.settings.Keys;
import io.waybill.micronaut.settings.MicronautBrokers;
import io.waybill.micronaut.settings.MicronautSettings;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.TuningCheck;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.SubscriptionOptions;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class ConfigurationTest {

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init")
    ConfigurationTest() {}

    @BeforeEach
    void start() {
        database = H2.newDatabase();
    }

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void the_keys_of_the_guide_are_understood_in_their_units() {
        MicronautSettings settings = settings(Map.of(
                "outbox.sweep-interval", 1500,
                "outbox.claim-timeout", 90,
                "outbox.batch-size", 100,
                "messaging.consumers.concurrency", 10,
                "messaging.consumers.batch-size", 50,
                "messaging.consumers.enabled", false,
                "waybill.handlers.concurrency", 3));

        assertThat(settings.brokers().subscription("stdout:", "orders", "billing"))
                .returns(10, SubscriptionOptions::concurrency)
                .returns(50, SubscriptionOptions::batchSize);
        assertThat(settings.relays()).as("consumers alone are switched off").isEqualTo(1);
        assertThat(settings.relay().sweepInterval()).isEqualTo(Duration.ofMillis(1500));
        assertThat(settings.relay().claimTimeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.relay().batchSize()).isEqualTo(100);
        assertThat(settings.relay().handlers()).isEqualTo(3);
    }

    @Test
    void variables_of_the_environment_are_meant_for_waybill_where_the_application_uses_the_keys_of_the_guide() {
        var environment = PropertySource.of(
                "environment",
                Map.of("OUTBOX_BATCH_SIZE", "7", "MQ_HOST", "elsewhere", "WAYBILL_RELAYS", "2"),
                PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE,
                PropertySource.Origin.of("test"));

        MicronautSettings alone = settings(Map.of(), environment);
        MicronautSettings used = settings(Map.of("outbox.sweep-interval", 1500), environment);

        assertThat(alone.relay().batchSize()).isEqualTo(RelayOptions.DEFAULT.batchSize());
        assertThat(alone.relays()).isEqualTo(2);
        assertThat(used.relay().batchSize()).isEqualTo(7);
    }

    @Test
    void everything_else_has_a_key_too() {
        MicronautSettings settings = settings(Map.ofEntries(
                Map.entry("waybill.relays", 2),
                Map.entry("waybill.signals", false),
                Map.entry("waybill.outbox.retention", 2),
                Map.entry("waybill.outbox.cleanup-interval", 5),
                Map.entry("waybill.outbox.ordered", List.of("orders.*", "payments.*")),
                Map.entry("waybill.inbox.retention", 40),
                Map.entry("waybill.inbox.attempts", 3),
                Map.entry("waybill.handlers.messages-per-commit", 50),
                Map.entry("waybill.commands.in-order", false),
                Map.entry("waybill.commands.retention", "60d"),
                Map.entry("waybill.processes.retention", "50d")));

        assertThat(settings.relays()).isEqualTo(2);
        assertThat(settings.signals()).isFalse();
        assertThat(settings.ordered()).containsExactly("orders.*", "payments.*");
        assertThat(settings.receiving().attempts()).isEqualTo(3);
        assertThat(settings.relay().messagesPerCommit()).isEqualTo(50);
        assertThat(settings.commandsInOrder()).contains(false);
        assertThat(settings.kept())
                .as("plain numbers are days, and minutes between two cleanups")
                .isEqualTo(new MicronautSettings.Kept(
                        Duration.ofDays(2),
                        Duration.ofDays(40),
                        Duration.ofDays(60),
                        Duration.ofDays(50),
                        Duration.ofMinutes(5)));
    }

    @Test
    void values_that_cannot_be_are_refused_with_what_may_be() {
        assertThatThrownBy(() -> settings(Map.of(
                        "waybill.relays", -1,
                        "waybill.signals", "loud",
                        "waybill.inbox.attempts", 0,
                        "waybill.handlers.messages-per-commit", 0,
                        "waybill.commands.in-order", "mostly",
                        "waybill.commands.retention", "5d",
                        "waybill.outbox.cleanup-interval", "never",
                        "spec", "listener",
                        "waybill.routes.APP.CMD.*.Q", "stdout:")))
                .hasStackTraceContaining("wrong in 7 places")
                .hasStackTraceContaining("waybill.relays is '-1'. Give 0 (only append)")
                .hasStackTraceContaining("waybill.signals is 'loud'. Give true or false")
                .hasStackTraceContaining("waybill.inbox.attempts is '0'. Give a whole number from 1 on")
                .hasStackTraceContaining("waybill.handlers.messages-per-commit is '0'. Give a whole number from 1 on")
                .hasStackTraceContaining("waybill.commands.in-order is 'mostly'")
                .hasStackTraceContaining("waybill.commands.retention is 'PT120H'. Give at least"
                        + " waybill.processes.retention (PT720H)")
                .hasStackTraceContaining("waybill.outbox.cleanup-interval is 'never'");
    }

    @Test
    void every_key_is_in_the_guide() throws IOException {
        String guide = Files.readString(Path.of("../../docs/micronaut.md"));

        assertThat(Keys.KNOWN)
                .allSatisfy(key -> assertThat(guide)
                        .containsPattern("`waybill\\." + key.replace(".", "\\.") + "`|`\\.?"
                                + key.substring(key.lastIndexOf('.') + 1) + "`"));
    }

    @Test
    void keys_with_the_prefix_win() {
        MicronautSettings settings =
                settings(Map.of("outbox.sweep-interval", 1500, "waybill.outbox.sweep-interval", "2s"));

        assertThat(settings.relay().sweepInterval()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void exact_routes_come_before_wider_ones() {
        MicronautSettings settings = settings(Map.of(
                "waybill.routes.orders.**", "stdout:",
                "waybill.routes.orders.placed", "stdout:",
                "waybill.routes.orders.*", "stdout:"));

        assertThat(settings.brokers().routes())
                .extracting(MicronautBrokers.Place::pattern)
                .containsExactly("orders.placed", "orders.*", "orders.**");
    }

    @Test
    void what_stays_here_is_not_led_away_by_a_wider_route() {
        MicronautSettings settings =
                settings(Map.of("waybill.routes.**", "stdout:", "waybill.routes.shop.*", "local:"));

        assertThat(settings.brokers().routeOf("shop.posted")).isEmpty();
        assertThat(settings.brokers().routeOf("orders.placed")).isPresent();
    }

    @Test
    void all_wrong_values_are_named_at_once() {
        assertThatThrownBy(() -> settings(Map.of(
                        "outbox.sweep-interval", "often",
                        "waybill.outbox.batch-size", 0,
                        "messaging.consumers.enabled", "perhaps",
                        "waybill.routes.orders.*", "kafka")))
                .hasMessageStartingWith("Waybill's configuration is wrong in 4 places:")
                .hasStackTraceContaining("outbox.sweep-interval is 'often'")
                .hasStackTraceContaining("waybill.outbox.batch-size is '0'")
                .hasStackTraceContaining("messaging.consumers.enabled is 'perhaps'")
                .hasStackTraceContaining("waybill.routes.orders.* is '***'");
    }

    @Test
    void problems_of_every_kind_are_told_together() {
        assertThatThrownBy(() -> settings(Map.of(
                        "waybill.outbox.batchsize", 5,
                        "waybill.routes.orders.placed", "kafka://localhost:9092",
                        "waybill.commands.from", "stdout:",
                        "waybill.initialize-schema", "sometimes",
                        "waybill.data-sources.nowhere.enabled", true,
                        "waybill.inbox.retention", "1h",
                        "waybill.commands.prefix", "SHOP.CMD",
                        "waybill.handlers.concurrency", 10,
                        "spec", "listener")))
                .hasStackTraceContaining("wrong in 8 places")
                .hasStackTraceContaining("waybill.outbox.batchsize is not a key of Waybill")
                .hasStackTraceContaining("waybill.routes.orders.placed is 'kafka://localhost:9092'. Nothing here opens")
                .hasStackTraceContaining("add io.waybill:waybill-kafka")
                .hasStackTraceContaining(
                        "waybill.commands.from is 'stdout:'. Messages can be sent to stdout: but not received from there")
                .hasStackTraceContaining("waybill.initialize-schema is 'sometimes'")
                .hasStackTraceContaining("there is no data source 'nowhere'")
                .hasStackTraceContaining("waybill.inbox.retention is 'PT1H'")
                .hasStackTraceContaining("@SubscribeTo on Deaf.hear is 'orders.placed'")
                .hasStackTraceContaining("handlers.concurrency is '10', and the pool has 10 connections");
    }

    @Test
    void a_password_is_not_shown() {
        assertThatThrownBy(() -> settings(Map.of("waybill.routes.orders.placed", "kafkaa://me:secret@localhost")))
                .hasStackTraceContaining("kafkaa://***@localhost")
                .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("secret"));
    }

    @Test
    void handlers_and_a_relay_that_need_more_connections_than_there_are_fail_the_start() {
        assertThatThrownBy(() -> settings(Map.of("waybill.handlers.concurrency", 10)))
                .hasStackTraceContaining("handlers.concurrency is '10', and the pool has 10 connections")
                .hasStackTraceContaining("maximum-pool-size");
    }

    @Test
    void more_handlers_than_half_of_the_pool_are_a_warning_and_half_of_it_is_not() {
        assertThat(warnings(Map.of("waybill.handlers.concurrency", 6)))
                .singleElement()
                .asString()
                .startsWith("WB-601 handlers.concurrency is '6', and the pool has 10 connections.")
                .contains("Raise maximum-pool-size of the data source to 12, or lower the concurrency to 5");

        assertThat(warnings(Map.of("waybill.handlers.concurrency", 5))).isEmpty();
    }

    @Test
    void a_sweep_and_a_batch_outside_of_the_rules_are_warnings() {
        assertThat(warnings(Map.of("outbox.sweep-interval", 10, "outbox.batch-size", 100), TuningCheck.class))
                .singleElement()
                .asString()
                .startsWith("WB-608 outbox.sweep-interval is 10 ms. Rule: 100 ms to one minute.");
    }

    @Test
    void a_process_whose_command_nobody_handles_is_named() {
        assertThat(warnings(Map.of("spec", "listener"), ProcessManager.class))
                .singleElement()
                .asString()
                .startsWith("WB-405 ")
                .contains("Misfit sends VanishCommand");
    }

    private List<String> warnings(Map<String, Object> values) {
        return warnings(values, PoolCheck.class);
    }

    private List<String> warnings(Map<String, Object> values, Class<?> from) {
        var lines = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(from);
        lines.start();
        logger.addAppender(lines);
        try {
            settings(values);
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void a_source_that_no_subscriber_takes_anything_from_is_refused() {
        assertThatThrownBy(() -> settings(Map.of(
                        "spec", "listener",
                        "waybill.messaging.consumers.sources.order.*", "kafka://app:secret@localhost:9092",
                        "waybill.messaging.consumers.sources.orders.*", "kafka://localhost:9092")))
                .hasStackTraceContaining("waybill.messaging.consumers.sources.order.* is")
                .hasStackTraceContaining("No @SubscribeTo of this application is for such a destination:")
                .hasStackTraceContaining("orders.placed")
                .satisfies(error -> assertThat(stackTrace(error))
                        .doesNotContain("secret")
                        .doesNotContainPattern("sources.orders.\\* is .*No @SubscribeTo"));
    }

    @Test
    void two_data_sources_need_a_choice() {
        var second = Map.<String, Object>of(
                "datasources.other.url", "jdbc:h2:mem:other", "datasources.other.username", "sa");
        assertThatThrownBy(() -> settings(second)).hasStackTraceContaining("waybill.data-source");
    }

    @Test
    void no_data_source_says_what_to_add() {
        assertThatThrownBy(() -> ApplicationContext.run().close()).hasStackTraceContaining("datasources.default.url");
    }

    @Test
    void it_can_be_switched_off() {
        try (var context = ApplicationContext.run(Map.of("waybill.enabled", false))) {
            assertThat(context.findBean(Outbox.class)).isEmpty();
        }
    }

    private static String stackTrace(Throwable error) {
        var text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Subscribes to what a route leads away. */
    @Singleton
    @Requires(property = "spec", value = "listener")
    static class Deaf {
        @SubscribeTo("orders.placed")
        public void hear(String placed) {}
    }

    /** Sends what nobody handles. */
    @Singleton
    @Requires(property = "spec", value = "listener")
    static class Misfit implements ProcessConfiguration {

        record VanishCommand(String item) implements DomainCommand {}

        @Override
        public String getProcessType() {
            return "Misfit";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(VanishCommand.class).end();
        }
    }

    private MicronautSettings settings(Map<String, Object> more, PropertySource... sources) {
        var all = new HashMap<>(more);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", "");
        all.putIfAbsent("spec", "configuration");
        try (var context =
                ApplicationContext.builder(all).propertySources(sources).start()) {
            return context.getBean(MicronautInstances.class).primary().settings();
        }
    }
}
