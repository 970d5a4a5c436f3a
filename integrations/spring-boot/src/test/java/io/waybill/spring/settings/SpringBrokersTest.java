package io.waybill.spring.settings;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.outbox.Outbox;
import io.waybill.spring.SpringMeters;
import io.waybill.testkit.services.broker.Artemis;
import io.waybill.testkit.services.broker.KafkaNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Two applications with a database each: what one sends by its settings, the other takes by its own. Events go over Kafka, commands over Artemis. */
final class SpringBrokersTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static String kafka;
    private static String artemis;

    private final String workerDatabase = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private String topic;
    private ConfigurableApplicationContext shop;
    private ConfigurableApplicationContext worker;

    @BeforeAll
    static void brokers() {
        kafka = "kafka://" + KafkaNode.shared().bootstrapServers();
        artemis = Artemis.shared().url().replace("tcp://", "jms+artemis://");
    }

    @BeforeEach
    void start() {
        topic = KafkaNode.shared().newTopic(2);
        String commands = topic.replace("topic-", "Q").replace("-", "");
        Artemis.shared().createQueue(commands + ".RESERVE.Q");
        Artemis.shared().createQueue(commands + ".REPLY.Q");
        shop = run(
                Shop.class,
                "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                "waybill.routes[0].pattern=" + topic,
                "waybill.routes[0].url=" + kafka,
                "waybill.routes[0].format=cloudevents-binary",
                "waybill.routes[1].pattern=" + commands + ".*.Q",
                "waybill.routes[1].url=" + artemis,
                "waybill.messaging.consumers.replies-from=" + artemis,
                "waybill.commands.prefix=" + commands);
        startWorker();
    }

    private void startWorker() {
        String commands = topic.replace("topic-", "Q").replace("-", "");
        worker = run(
                Worker.class,
                workerDatabase,
                "orders.topic=" + topic,
                "waybill.messaging.consumers.sources[0].pattern=topic-*",
                "waybill.messaging.consumers.sources[0].url=" + kafka,
                "waybill.messaging.consumers.concurrency=2",
                "waybill.messaging.consumers.commands-from=" + artemis,
                "waybill.routes[0].pattern=" + commands + ".REPLY.Q",
                "waybill.routes[0].url=" + artemis,
                "waybill.commands.prefix=" + commands);
    }

    private static ConfigurableApplicationContext run(Class<?> application, String database, String... settings) {
        var all = new ArrayList<>(List.of(settings));
        all.add("spring.datasource.url=" + database);
        all.add(
                "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(all.toArray(String[]::new))
                .run();
    }

    @AfterEach
    void stop() {
        shop.close();
        worker.close();
    }

    @Test
    void a_subscriber_handles_each_message_of_a_topic_once_also_after_a_restart() {
        var orders = shop.getBean(Orders.class);
        IntStream.range(0, 20).forEach(number -> orders.place(topic, "o-" + number));
        await().atMost(SOON).until(() -> !ledger("invoice %").isEmpty());
        worker.close();
        IntStream.range(20, 40).forEach(number -> orders.place(topic, "o-" + number));
        startWorker();

        List<String> expected = IntStream.range(0, 40)
                .mapToObj(number -> "invoice for o-" + number)
                .toList();
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(ledger("invoice %")).containsExactlyInAnyOrderElementsOf(expected));
    }

    @Test
    void a_command_is_handled_where_its_handler_is_and_answered_over_the_broker() {
        var meters = new SimpleMeterRegistry();
        worker.getBean(SpringMeters.class).bindTo(meters);

        Map<?, ?> answer = shop.getBean(CommandBus.class)
                .send(new ReserveCommand("o-1", 3), idempotencyKey("o-1"))
                .await(SOON)
                .as(Map.class);

        assertThat(answer.get("reserved")).isEqualTo(3);
        assertThat(ledger("reserved %")).containsExactly("reserved 3 of o-1");
        assertThat(meters.get("waybill.inbox.handled").counter().count()).isEqualTo(1);
    }

    @Test
    void queues_and_topics_that_are_not_there_are_told_at_once() {
        worker.close();

        assertThatThrownBy(() -> run(
                        Worker.class,
                        workerDatabase,
                        "orders.topic=topic-of-nobody",
                        "waybill.messaging.consumers.sources[0].pattern=topic-*",
                        "waybill.messaging.consumers.sources[0].url=" + kafka,
                        "waybill.messaging.consumers.commands-from=" + kafka))
                .rootCause()
                .isInstanceOf(SpringMisconfiguredException.class)
                .hasMessageContaining("2 settings of Waybill are wrong")
                .hasMessageContaining("- @SubscribeTo on Billing.bill (waybill.messaging.consumers.sources) = " + kafka)
                .hasMessageContaining("topic-of-nobody")
                .hasMessageContaining("- waybill.messaging.consumers.commands-from and replies-from = " + kafka)
                .hasMessageContaining("APP.CMD.RESERVE.Q");
    }

    private List<String> ledger(String like) {
        return worker.getBean(JdbcTemplate.class)
                .queryForList("SELECT what FROM ledger WHERE what LIKE ?", String.class, like);
    }

    /** An order was placed. */
    @MessageType("OrderPlaced")
    public record OrderPlaced(String order) {}

    /** Reserves stock. */
    public record ReserveCommand(String order, int amount) implements DomainCommand {}

    /** The application that sends. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Shop {}

    /** Sends. */
    @Component
    static class Orders {
        private final Outbox outbox;

        Orders(Outbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        public void place(String topic, String order) {
            outbox.append(Message.event(new OrderPlaced(order)).to(topic).inOrderOf(order));
        }
    }

    /** The application that works. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Billing.class)
    static class Worker {}

    /** Handles what comes from brokers. */
    @Component
    static class Billing {
        private final JdbcTemplate jdbc;

        Billing(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE IF NOT EXISTS ledger (what VARCHAR(100) NOT NULL)");
        }

        @SubscribeTo(value = "${orders.topic}", handler = "billing")
        @Transactional
        public void bill(OrderPlaced placed) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "invoice for " + placed.order());
        }

        @Transactional
        public Map<String, Object> reserve(ReserveCommand command) {
            jdbc.update("INSERT INTO ledger VALUES (?)", "reserved " + command.amount() + " of " + command.order());
            return Map.of("reserved", command.amount());
        }
    }
}
