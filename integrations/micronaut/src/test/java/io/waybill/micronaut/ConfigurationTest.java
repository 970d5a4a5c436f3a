package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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
                "waybill.routes.**", "stdout:"));

        assertThat(settings.routes())
                .extracting(Settings.RouteTo::pattern)
                .containsExactly("orders.placed", "orders.**", "**");
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
    void more_handlers_than_connections_fail_the_start() {
        assertThatThrownBy(() -> settings(Map.of("messaging.consumers.concurrency", 10)))
                .hasStackTraceContaining("messaging.consumers.concurrency is 10, and the pool has 10 connections")
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

    private Settings settings(Map<String, Object> more) {
        var all = new HashMap<>(more);
        all.put("datasources.default.url", database.jdbcUrl());
        all.put("datasources.default.username", database.user());
        all.put("datasources.default.password", "");
        all.put("spec", "configuration");
        try (var context = ApplicationContext.run(all)) {
            return context.getBean(Settings.class);
        }
    }
}
