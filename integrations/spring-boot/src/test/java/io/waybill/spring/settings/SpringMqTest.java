package io.waybill.spring.settings;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.spring.WaybillAutoConfiguration;
import io.waybill.testkit.services.broker.Artemis;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** The broker of all commands, by the keys under {@code waybill.mq}. */
final class SpringMqTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    WaybillAutoConfiguration.class))
            .withBean(Desk.class)
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");

    @Test
    void commands_leave_through_the_broker_and_come_back_with_their_answers() {
        try (var broker = Artemis.startStrict()) {
            broker.createQueue("APP.CMD.GREET.Q");
            broker.createQueue("APP.CMD.REPLY.Q");
            application
                    .withPropertyValues(
                            "waybill.mq.url=" + url(broker),
                            "waybill.mq.required-queues=APP.CMD.GREET.Q, APP.CMD.REPLY.Q")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        Map<?, ?> answer = context.getBean(CommandBus.class)
                                .send(new GreetCommand("Ann"), idempotencyKey("ann"))
                                .await(SOON)
                                .as(Map.class);

                        assertThat(answer.get("said")).isEqualTo("hello Ann");
                        assertThat(context.getBean(JdbcTemplate.class)
                                        .queryForList("SELECT handler FROM inbox", String.class))
                                .as("it came from the broker")
                                .contains("APP.CMD.GREET.Q");
                    });
        }
    }

    @Test
    void a_required_queue_that_is_missing_fails_the_start_with_the_rest() {
        try (var broker = Artemis.startStrict()) {
            broker.createQueue("APP.CMD.REPLY.Q");
            application
                    .withPropertyValues(
                            "waybill.outbox.batch-size=0",
                            "waybill.mq.url=" + url(broker),
                            "waybill.mq.required-queues=APP.CMD.GREET.Q, APP.CMD.REPLY.Q")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining("2 settings of Waybill are wrong")
                            .hasMessageContaining("- waybill.outbox.batch-size = 0: ")
                            .hasMessageContaining("- waybill.mq.required-queues = APP.CMD.GREET.Q,APP.CMD.REPLY.Q: ")
                            .hasMessageContaining("has no 'APP.CMD.GREET.Q'"));
        }
    }

    @Test
    void half_a_queue_manager_is_refused() {
        application
                .withPropertyValues("waybill.mq.host=mq.example.com", "waybill.mq.port=many")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("- waybill.mq.port = many: it must be a whole number.")
                        .hasMessageContaining(
                                "- waybill.mq.qmgr is not set: waybill.mq.host is mq.example.com. Give the"
                                        + " queue manager, such as QM1")
                        .hasMessageContaining("- waybill.mq.channel is not set: ")
                        .hasMessageContaining("IBM MQ needs com.ibm.mq:com.ibm.mq.jakarta.client on the class path"));
    }

    @Test
    void queues_are_required_of_jms_only() {
        application
                .withPropertyValues(
                        "waybill.mq.url=kafka://localhost:9092", "waybill.mq.required-queues=APP.CMD.GREET.Q")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "- waybill.mq.required-queues = APP.CMD.GREET.Q: only queues of JMS are checked,"
                                        + " and kafka://localhost:9092 is none"));
    }

    @Test
    void two_brokers_are_one_too_many() {
        application
                .withPropertyValues("waybill.mq.host=mq.example.com", "waybill.mq.url=kafka://localhost:9092")
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessageContaining(
                                        "- waybill.mq.host = mq.example.com: waybill.mq.url names a broker too. Give one of them"));
    }

    private static String url(Artemis broker) {
        return broker.url().replace("tcp://", "jms+artemis://");
    }

    /** Says hello. */
    public record GreetCommand(String who) implements DomainCommand {}

    /** Handles it. */
    static class Desk {
        public Map<String, Object> greet(GreetCommand command) {
            return Map.of("said", "hello " + command.who());
        }
    }
}
