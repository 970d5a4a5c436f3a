package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessGraph;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.TestDatabase;
import jakarta.inject.Singleton;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
        Settings settings = settings(Map.of(
                "outbox.sweep-interval", 1500,
                "outbox.claim-timeout", 90,
                "outbox.batch-size", 100,
                "messaging.consumers.concurrency", 3));

        assertThat(settings.relay().sweepInterval()).isEqualTo(Duration.ofMillis(1500));
        assertThat(settings.relay().claimTimeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(settings.relay().batchSize()).isEqualTo(100);
        assertThat(settings.relay().handlers()).isEqualTo(3);
    }

    @Test
    void keys_with_the_prefix_win() {
        Settings settings = settings(Map.of("outbox.sweep-interval", 1500, "waybill.outbox.sweep-interval", "2s"));

        assertThat(settings.relay().sweepInterval()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void exact_routes_come_before_wider_ones() {
        Settings settings = settings(Map.of(
                "waybill.routes.orders.**", "stdout:",
                "waybill.routes.orders.placed", "stdout:",
                "waybill.routes.orders.*", "stdout:"));

        assertThat(settings.routes())
                .extracting(Settings.Place::pattern)
                .containsExactly("orders.placed", "orders.*", "orders.**");
    }

    @Test
    void what_stays_here_is_not_led_away_by_a_wider_route() {
        Settings settings = settings(Map.of("waybill.routes.**", "stdout:", "waybill.routes.shop.*", "local:"));

        assertThat(settings.routeOf("shop.posted")).isEmpty();
        assertThat(settings.routeOf("orders.placed")).isPresent();
    }

    @Test
    void all_wrong_values_are_named_at_once() {
        assertThatThrownBy(() -> settings(Map.of(
                        "outbox.sweep-interval", "often",
                        "waybill.outbox.batch-size", 0,
                        "messaging.consumers.enabled", "perhaps",
                        "waybill.routes.orders.*", "kafka")))
                .hasStackTraceContaining("wrong in 4 places")
                .hasStackTraceContaining("outbox.sweep-interval is 'often'")
                .hasStackTraceContaining("waybill.outbox.batch-size is '0'")
                .hasStackTraceContaining("messaging.consumers.enabled is 'perhaps'")
                .hasStackTraceContaining("waybill.routes.orders.* is 'kafka'");
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
                        "messaging.consumers.concurrency", 10,
                        "spec", "listener")))
                .hasStackTraceContaining("wrong in 9 places")
                .hasStackTraceContaining("waybill.outbox.batchsize is not a key of Waybill")
                .hasStackTraceContaining("waybill.routes.orders.placed is 'kafka://localhost:9092'. Nothing here opens")
                .hasStackTraceContaining("add io.waybill:waybill-kafka")
                .hasStackTraceContaining(
                        "waybill.commands.from is 'stdout:'. Messages can be sent there but not received")
                .hasStackTraceContaining("waybill.initialize-schema is 'sometimes'")
                .hasStackTraceContaining("there is no data source 'nowhere'")
                .hasStackTraceContaining("waybill.inbox.retention is 'PT1H'")
                .hasStackTraceContaining("The process Misfit sends VanishCommand to SHOP.CMD.VANISH.Q, which nobody")
                .hasStackTraceContaining("@SubscribeTo on Deaf.hear is 'orders.placed'")
                .hasStackTraceContaining("messaging.consumers.concurrency is '10', and the pool has 10 connections");
    }

    @Test
    void a_password_is_not_shown() {
        assertThatThrownBy(() -> settings(Map.of("waybill.routes.orders.placed", "kafkaa://me:secret@localhost")))
                .hasStackTraceContaining("kafkaa://***@localhost")
                .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("secret"));
    }

    @Test
    void the_queue_manager_of_the_guide_is_a_url() {
        var problems = new Problems();
        Mq mq = mq(
                        Map.of(
                                "mq.host", "mq.example.com",
                                "mq.qmgr", "QM1",
                                "mq.channel", "DEV.APP.SVRCONN",
                                "mq.user", "app",
                                "mq.password", "p@ss word",
                                "mq.required-queues", "APP.CMD.CREATEORDER.Q, APP.CMD.REPLY.Q"),
                        problems)
                .orElseThrow();
        problems.report();

        assertThat(mq.url()).isEqualTo("jms+ibmmq://app:p%40ss%20word@mq.example.com:1414/QM1?channel=DEV.APP.SVRCONN");
        assertThat(mq.requiredQueues()).containsExactly("APP.CMD.CREATEORDER.Q", "APP.CMD.REPLY.Q");
    }

    @Test
    void half_a_queue_manager_is_refused() {
        var problems = new Problems();
        mq(Map.of("mq.host", "mq.example.com", "mq.port", "many"), problems);

        assertThatThrownBy(problems::report)
                .hasMessageContaining("mq.qmgr is not set")
                .hasMessageContaining("mq.channel is not set")
                .hasMessageContaining("mq.port is 'many'");
    }

    @Test
    void more_handlers_than_connections_fail_the_start() {
        assertThatThrownBy(() -> settings(Map.of("messaging.consumers.concurrency", 10)))
                .hasStackTraceContaining("messaging.consumers.concurrency is '10', and the pool has 10 connections")
                .hasStackTraceContaining("maximum-pool-size");
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

    private static Optional<Mq> mq(Map<String, Object> values, Problems problems) {
        var all = new HashMap<>(values);
        all.put("waybill.enabled", false);
        try (var context = ApplicationContext.run(all)) {
            return Mq.of(new Keys(context.getEnvironment(), problems, "default"), problems);
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

    private Settings settings(Map<String, Object> more) {
        var all = new HashMap<>(more);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", "");
        all.putIfAbsent("spec", "configuration");
        try (var context = ApplicationContext.run(all)) {
            return context.getBean(Platforms.class).primary().settings();
        }
    }
}
