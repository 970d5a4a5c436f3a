package io.waybill.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.command.IdempotencyKey;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.micronaut.health.WaybillLiveness;
import io.waybill.micronaut.health.WaybillReadiness;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** What an application says about itself when something is missing, and how it ends. */
final class HealthTest {

    private final TestDatabase database = H2.newDatabase();

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void a_missing_table_is_not_ready_but_alive() throws SQLException {
        try (var context = application()) {
            execute("ALTER TABLE failed_message RENAME TO somewhere_else");

            var ready = context.getBean(WaybillReadiness.class).getHealthInformation();

            assertThat(ready).containsEntry("database", "UP").containsEntry("outbox", "DOWN");
            assertThat(ready.get("schema")).asString().contains("failed_message");
            assertThat(context.getBean(WaybillLiveness.class).getHealthInformation())
                    .containsEntry("default", "UP");
        }
    }

    @Test
    void a_database_that_is_away_is_not_ready_but_alive() throws SQLException {
        try (var context = application()) {
            execute("SHUTDOWN");

            assertThat(context.getBean(WaybillReadiness.class).getHealthInformation())
                    .containsEntry("database", "DOWN");
            assertThat(status(context, WaybillReadiness.class)).isEqualTo(HealthStatus.DOWN);
            assertThat(status(context, WaybillLiveness.class)).isEqualTo(HealthStatus.UP);
        }
    }

    @Test
    void a_relay_that_has_ended_is_not_alive() throws SQLException {
        try (var context = application()) {
            assertThat(status(context, WaybillLiveness.class)).isEqualTo(HealthStatus.UP);
            context.getBean(Waybill.class)
                    .transactions()
                    .inTransaction(transaction -> context.getBean(Outbox.class)
                            .append(Message.event("Placed", "o-1")
                                    .as("text/plain")
                                    .to("orders.placed")));

            await().untilAsserted(() ->
                    assertThat(status(context, WaybillLiveness.class)).isEqualTo(HealthStatus.DOWN));
            assertThat(status(context, WaybillReadiness.class)).isEqualTo(HealthStatus.UP);
        }
    }

    private static HealthStatus status(ApplicationContext context, Class<? extends HealthIndicator> indicator) {
        return Mono.from(context.getBean(indicator).getResult()).block().getStatus();
    }

    @Test
    void what_is_being_handled_ends_before_the_application_does() throws SQLException {
        Slow slow;
        try (var context = application()) {
            slow = context.getBean(Slow.class);
            context.getBean(CommandBus.class).send(new WaitCommand("a"), new IdempotencyKey("a"));
            await().until(() -> slow.begun.getCount() == 0);
            Thread release = new Thread(() -> {
                await().pollDelay(Duration.ofMillis(300)).until(() -> true);
                slow.go.countDown();
            });
            release.start();
        }

        assertThat(slow.ended).as("the context is closed now").isTrue();
        try (var connection = database.dataSource().getConnection();
                var rows = connection.createStatement().executeQuery("SELECT status FROM command")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("COMPLETED");
        }
    }

    /** Its pool must not create the database anew when it has been shut down. */
    private ApplicationContext application() throws SQLException {
        execute("SELECT 1");
        return ApplicationContext.run(Map.of(
                "datasources.default.url",
                database.jdbcUrl() + ";IFEXISTS=TRUE",
                "datasources.default.username",
                database.user(),
                "datasources.default.password",
                "",
                "spec",
                "slow"));
    }

    private void execute(String sql) throws SQLException {
        database.execute(sql);
    }

    /** Ends the relay as a class does that is missing. */
    @Singleton
    @Requires(property = "spec", value = "slow")
    static final class Ending implements WaybillCustomizer, RelayListener {
        @Override
        public void customize(WaybillBuilder builder) {
            builder.listener(this).route("orders.*", "stdout:");
        }

        @Override
        public void claimed(List<Envelope> messages) {
            if (messages.get(0).destination().equals("orders.placed")) {
                throw new NoClassDefFoundError("com/acme/Forgotten");
            }
        }
    }

    /** Takes its time. */
    public record WaitCommand(String item) implements DomainCommand {}

    /** Takes as long as it is told to. */
    @Singleton
    @Requires(property = "spec", value = "slow")
    public static class Slow {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        volatile boolean ended;

        public void handle(WaitCommand command) throws InterruptedException {
            begun.countDown();
            go.await();
            ended = true;
        }
    }
}
