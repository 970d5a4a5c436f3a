package io.waybill.rabbitmq;

import static io.waybill.testkit.Numbered.ACCEPTED;
import static io.waybill.testkit.Numbered.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.testkit.Numbered;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Publisher;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.WireReader;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is special about receiving from RabbitMQ. */
class ReceivingTest {

    private static final RabbitFixture BROKER = RabbitFixture.chosen();

    private final RabbitMq rabbit = BROKER.open(BROKER.port());
    private final List<Delivery> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void disconnect() {
        rabbit.close();
    }

    @AfterAll
    static void clean() {
        BROKER.close();
    }

    @Test
    void order_with_several_receivers_is_refused() {
        var options = SubscriptionOptions.to("orders", "billing").concurrency(4);

        assertThatThrownBy(() -> rabbit.subscribe(options, received::addAll))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("'orders'")
                .hasMessageContaining("concurrency 4")
                .hasMessageContaining("unordered");
    }

    @Test
    void a_second_receiver_of_an_ordered_queue_stands_by_and_takes_over() {
        assumeRabbitMq("Qpid does not say how many consumers a queue has");
        String queue = BROKER.newQueue(Map.of());
        List<Delivery> byTheSecond = new CopyOnWriteArrayList<>();
        try (RabbitMq other = BROKER.open(BROKER.port())) {
            var first = rabbit.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll);
            try (var second = other.subscribe(SubscriptionOptions.to(queue, "billing"), byTheSecond::addAll)) {
                publish(queue, 0, 100);
                awaitReceived(100);
                assertThat(byTheSecond).isEmpty();

                first.close();
                publish(queue, 100, 200);
                await().atMost(Duration.ofSeconds(30)).until(() -> byTheSecond.size() == 100);
            }
        }
        received.addAll(byTheSecond);
        assertThat(Numbered.check(received, 200).violations()).isEmpty();
        assertThat(Numbered.check(received, 200).repeated()).isZero();
    }

    @Test
    void a_queue_that_others_can_consume_besides_is_refused_for_order_and_taken_without() {
        assumeRabbitMq("Qpid has no quorum queues");
        String quorum = BROKER.newQueue(Map.of("x-queue-type", "quorum"));
        publish(quorum, 0, 10);

        assertThatThrownBy(() -> rabbit.subscribe(SubscriptionOptions.to(quorum, "billing"), received::addAll))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(quorum)
                .hasMessageContaining("x-single-active-consumer");
        try (var subscription =
                rabbit.subscribe(SubscriptionOptions.to(quorum, "billing").unordered(), received::addAll)) {
            awaitReceived(10);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void a_queue_with_a_single_active_consumer_is_received_in_order_when_that_is_said(String type) {
        assumeRabbitMq("Qpid has no single active consumer");
        String queue = BROKER.newQueue(Map.of("x-queue-type", type, "x-single-active-consumer", true));
        publish(queue, 0, 100);

        assertThatThrownBy(() -> rabbit.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("single-active-consumer=true");
        try (RabbitMq saying = BROKER.open("?single-active-consumer=true");
                var subscription = saying.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
            awaitReceived(100);
        }
        assertThat(Numbered.check(received, 100).violations()).isEmpty();
    }

    @Test
    void a_queue_that_is_deleted_and_made_again_is_received_from_again() {
        assumeRabbitMq("Qpid does not tell a consumer that its queue is gone");
        String queue = BROKER.newQueue(Map.of());
        try (var subscription = rabbit.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
            publish(queue, 0, 10);
            awaitReceived(10);
            BROKER.delete(queue);
            BROKER.declare(queue, Map.of());
            publish(queue, 10, 20);
            awaitReceived(20);
        }
        assertThat(Numbered.check(received, 20).violations()).isEmpty();
    }

    /** Every delivery beyond the limit would drop the message, and this queue has nothing to put it into. */
    @Test
    void a_database_that_is_away_for_several_rounds_uses_up_no_deliveries_of_a_quorum_queue() {
        assumeRabbitMq("Qpid has no delivery limit");
        String queue = BROKER.newQueue(
                Map.of("x-queue-type", "quorum", "x-single-active-consumer", true, "x-delivery-limit", 1));
        publish(queue, 0, 200);
        var rounds = new AtomicInteger();
        try (RabbitMq ordered = BROKER.open("?single-active-consumer=true");
                var subscription = ordered.subscribe(SubscriptionOptions.to(queue, "billing"), batch -> {
                    if (rounds.incrementAndGet() <= 5) {
                        throw new IllegalStateException("the database is away");
                    }
                    received.addAll(batch);
                })) {
            awaitReceived(200);
            assertThat(subscription.problem()).isEmpty();
        }
        assertThat(BROKER.waiting(queue)).isZero();
        assertThat(Numbered.check(received, 200).lost()).isZero();
        assertThat(Numbered.check(received, 200).repeated()).isZero();
        assertThat(Numbered.check(received, 200).violations()).isEmpty();
        assertThat(received)
                .allSatisfy(delivery -> assertThat(delivery.message().headers().getOrDefault("x-delivery-count", "0"))
                        .isEqualTo("0"));
    }

    @Test
    void a_broker_that_is_killed_while_it_is_received_from_loses_and_reorders_nothing() {
        assumeTrue(BROKER.canRestart(), "NOT TESTED: only a RabbitMQ of our own may be killed");
        String queue = BROKER.newQueue(Map.of());
        publish(queue, 0, 500);
        try (var subscription =
                rabbit.subscribe(SubscriptionOptions.to(queue, "billing").batchSize(20), received::addAll)) {
            awaitReceived(1);
            BROKER.restart();
            // A broker that starts takes connections before it has all of its queues back.
            awaitReceived(500);
            publish(queue, 500, 600);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Numbered.check(received, 600).lost() == 0);
        }
        assertThat(Numbered.check(received, 600).violations()).isEmpty();
    }

    @Test
    void messages_of_megabytes_arrive_whole_and_in_order_among_small_ones() {
        String queue = BROKER.newQueue(Map.of());
        List<Envelope> sent = messages(queue, 3, 0, 30).stream()
                .map(message -> Numbered.number(message) % 3 == 0 ? large(message) : message)
                .toList();
        try (Publisher publisher = rabbit.publisher("relay-1", WireFormat.PLAIN);
                var subscription = rabbit.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
            assertThat(publisher.publish(sent, Deadline.NEVER)).containsOnly(ACCEPTED);
            awaitReceived(30);
        }
        assertThat(received.stream().map(delivery -> WireReader.read(delivery).payload()))
                .containsExactlyInAnyOrderElementsOf(
                        sent.stream().map(Envelope::payload).toList());
        assertThat(Numbered.check(received, 30).violations()).isEmpty();
    }

    private static Envelope large(Envelope message) {
        String text = message.payload().asText();
        return message.withPayload(Payload.text(text.replace(",", ",\"large\":\"" + "x".repeat(3_000_000) + "\",")));
    }

    @Test
    void what_others_publish_is_read_too() {
        String queue = BROKER.newQueue(Map.of());
        BROKER.publish(
                queue,
                new BasicProperties.Builder()
                        .messageId("order-7")
                        .type("OrderPlaced")
                        .headers(Map.of("priority", 3, "urgent", true))
                        .build(),
                "{}");

        try (var subscription = rabbit.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
            awaitReceived(1);
        }
        assertThat(received.get(0).source()).isEqualTo(queue);
        assertThat(received.get(0).message().headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "message-id", "order-7", "message-type", "OrderPlaced", "priority", "3", "urgent", "true"));
    }

    @Test
    void which_messages_wait_for_each_other_is_received_where_it_is_sent() {
        assertThat(keyReceived("", WireFormat.PLAIN)).isEmpty();
        assertThat(keyReceived("?send-key=true", WireFormat.PLAIN)).isEqualTo("key-0");
        assertThat(keyReceived("", WireFormat.CLOUDEVENTS_BINARY)).isEqualTo("key-0");
        assertThat(keyReceived("", WireFormat.CLOUDEVENTS_STRUCTURED)).isEqualTo("key-0");
    }

    private String keyReceived(String parameters, WireFormat format) {
        String queue = BROKER.newQueue(Map.of());
        try (RabbitMq own = BROKER.open(parameters);
                Publisher publisher = own.publisher("relay-1", format)) {
            publisher.publish(messages(queue, 1, 0, 1), Deadline.NEVER);
        }
        received.clear();
        try (var subscription = rabbit.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
            awaitReceived(1);
        }
        Envelope read = WireReader.read(received.get(0));
        assertThat(read.headers()).doesNotContainKey("message-partition-key");
        return read.partitionKey();
    }

    @Test
    void closing_the_transport_ends_its_subscriptions() {
        String queue = BROKER.newQueue(Map.of());
        publish(queue, 0, 1);
        var subscription = rabbit.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll);
        awaitReceived(1);

        rabbit.close();
        BROKER.publish(queue, new BasicProperties(), "after");

        await().atMost(Duration.ofSeconds(10))
                .until(() -> BROKER.contents(queue).size() == 1);
        subscription.close();
        assertThat(received).hasSize(1);
    }

    private void publish(String queue, int from, int to) {
        try (RabbitMq own = BROKER.open(BROKER.port());
                Publisher publisher = own.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(messages(queue, 10, from, to), Deadline.NEVER))
                    .containsOnly(ACCEPTED);
        }
    }

    private void awaitReceived(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> received.size() >= count);
    }

    private static void assumeRabbitMq(String reason) {
        assumeTrue(BROKER.isRabbitMq(), "NOT TESTED: " + reason);
    }
}
