package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application says about itself when something is missing or has ended. */
final class HealthTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    WaybillHealthAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                    "spring.datasource.hikari.connection-timeout=1000");

    @Test
    void an_application_that_works_is_alive_and_ready_and_shows_what_waits() {
        application.run(context -> {
            append(context, "nowhere.yet");

            assertThat(liveness(context).getStatus()).isEqualTo(Status.UP);
            assertThat(readiness(context).getStatus()).isEqualTo(Status.UP);
            assertThat(readiness(context).getDetails())
                    .containsEntry("database", "UP")
                    .containsEntry("outbox", "UP")
                    .containsEntry("relays", 1)
                    .containsEntry("pending", 1L)
                    .containsEntry("failed", 0L)
                    .containsEntry("receiving", "UP");
        });
    }

    @Test
    void a_missing_table_is_not_ready_but_alive() {
        application.run(context -> {
            context.getBean(JdbcTemplate.class).execute("ALTER TABLE failed_message RENAME TO somewhere_else");

            assertThat(readiness(context).getStatus()).isEqualTo(Status.DOWN);
            assertThat(readiness(context).getDetails())
                    .containsEntry("database", "UP")
                    .containsEntry("outbox", "DOWN");
            assertThat(readiness(context).getDetails().get("schema")).asString().contains("failed_message");
            assertThat(liveness(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void a_database_that_is_away_is_not_ready_but_alive() {
        application.run(context -> {
            context.getBean(JdbcTemplate.class).execute("SHUTDOWN");

            assertThat(readiness(context).getStatus()).isEqualTo(Status.DOWN);
            assertThat(liveness(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void a_relay_that_has_ended_is_not_alive() {
        application.withBean(Ending.class).run(context -> {
            assertThat(liveness(context).getStatus()).isEqualTo(Status.UP);
            append(context, "orders.placed");

            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(liveness(context).getStatus()).isEqualTo(Status.DOWN));
            assertThat(readiness(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void an_instance_is_stopped_and_started_again_with_its_context() {
        application.run(context -> {
            context.getSourceApplicationContext().stop();
            assertThat(context.getBean(WaybillLifecycle.class).isRunning()).isFalse();
            context.getSourceApplicationContext().start();
            assertThat(context.getBean(WaybillLifecycle.class).isRunning()).isTrue();
            assertThat(liveness(context).getStatus()).isEqualTo(Status.UP);
        });
    }

    private static void append(AssertableApplicationContext context, String destination) {
        context.getBean(Waybill.class)
                .transactions()
                .inTransaction(transaction -> context.getBean(Outbox.class)
                        .append(Message.event("Placed", "o-1").as("text/plain").to(destination)));
    }

    private static Health liveness(AssertableApplicationContext context) {
        return health(context, "waybillLivenessHealthIndicator");
    }

    private static Health readiness(AssertableApplicationContext context) {
        return health(context, "waybillReadinessHealthIndicator");
    }

    private static Health health(AssertableApplicationContext context, String indicator) {
        return Objects.requireNonNull(
                context.getBean(indicator, HealthIndicator.class).health());
    }

    /** Ends the relay as a class does that is missing. */
    static final class Ending implements WaybillCustomizer, RelayListener {
        @Override
        public void customize(WaybillBuilder builder) {
            builder.listener(this).route("orders.*", "stdout:");
        }

        @Override
        public void claimed(List<Envelope> messages) {
            throw new NoClassDefFoundError("com/acme/Forgotten");
        }
    }
}
