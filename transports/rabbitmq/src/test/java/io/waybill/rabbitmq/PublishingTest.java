package io.waybill.rabbitmq;

import static io.waybill.testkit.Numbered.ACCEPTED;
import static io.waybill.testkit.Numbered.NOT_ATTEMPTED;
import static io.waybill.testkit.Numbered.message;
import static io.waybill.testkit.Numbered.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.GetResponse;
import io.waybill.message.Envelope;
import io.waybill.testkit.Numbered;
import io.waybill.testkit.OrderCheck;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is special about publishing to RabbitMQ. */
class PublishingTest {

    private static final RabbitFixture BROKER = RabbitFixture.chosen();

    private final RabbitMq rabbit = BROKER.open(BROKER.port());
    private final Publisher publisher = rabbit.publisher("relay-1", WireFormat.PLAIN);

    @AfterEach
    void disconnect() {
        publisher.close();
        rabbit.close();
    }

    @AfterAll
    static void clean() {
        BROKER.close();
    }

    @Test
    void messages_are_persistent_and_headers_with_a_property_of_their_own_are_there() {
        String queue = BROKER.newQueue(Map.of());
        Envelope given =
                message(queue, "", 1).withHeader("correlation-id", "c-1").withHeader("x-tenant", "acme");

        assertThat(publish(given)).containsExactly(ACCEPTED);

        GetResponse got = BROKER.gets(queue).get(0);
        assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(got.getProps().getMessageId()).isEqualTo(given.id().toString());
        assertThat(got.getProps().getType()).isEqualTo("Numbered");
        assertThat(got.getProps().getContentType()).isEqualTo("application/json");
        assertThat(got.getProps().getCorrelationId()).isEqualTo("c-1");
        assertThat(got.getProps().getHeaders()).containsOnlyKeys("x-tenant");
    }

    @Test
    void a_header_that_is_too_long_for_its_property_arrives_nevertheless() {
        String queue = BROKER.newQueue(Map.of());
        String longId = "c".repeat(300);

        assertThat(publish(message(queue, "", 1).withHeader("correlation-id", longId)))
                .containsExactly(ACCEPTED);

        assertThat(BROKER.contents(queue).get(0).message().header("correlation-id"))
                .isEqualTo(longId);
    }

    @Test
    void a_destination_is_an_exchange_and_a_routing_key() {
        String queue = BROKER.newQueue(Map.of());
        String exchange = BROKER.newExchange("topic");
        BROKER.bind(queue, exchange, "orders.*");

        assertThat(publish(message(exchange + "/orders.placed", "a", 1))).containsExactly(ACCEPTED);

        assertThat(BROKER.contents(queue)).hasSize(1);
    }

    @Test
    void with_a_fixed_exchange_the_destination_is_the_routing_key() {
        String queue = BROKER.newQueue(Map.of());
        String exchange = BROKER.newExchange("direct");
        BROKER.bind(queue, exchange, "shop/orders");

        try (RabbitMq fixed = BROKER.open("?exchange=" + exchange);
                Publisher toExchange = fixed.publisher("relay-2", WireFormat.PLAIN)) {
            assertThat(toExchange.publish(List.of(message("shop/orders", "a", 1)), Deadline.NEVER))
                    .containsExactly(ACCEPTED);
        }
        assertThat(BROKER.contents(queue)).hasSize(1);
    }

    @Test
    void a_message_that_no_queue_gets_is_refused_and_its_key_waits() {
        String exchange = BROKER.newExchange("direct");
        String queue = BROKER.newQueue(Map.of());
        BROKER.bind(queue, exchange, "bound");

        List<Outcome> outcomes = publish(
                message(exchange + "/unbound", "a", 1),
                message(exchange + "/unbound", "a", 2),
                message(exchange + "/bound", "a", 3));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(1)).isEqualTo(NOT_ATTEMPTED);
        assertThat(outcomes.get(2)).isEqualTo(ACCEPTED);
        if (BROKER.isRabbitMq()) {
            assertThat(outcomes.get(0).toString()).contains(exchange, "unbound", "NO_ROUTE", "Bind one");
        }
    }

    @Test
    void a_queue_that_does_not_exist_is_a_misconfiguration() {
        assumeRabbitMq("Qpid nacks a message for a missing queue before it returns it");

        List<Outcome> outcomes = publish(message("waybill-no-queue", "a", 1), message("waybill-no-queue", "a", 2));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Misconfigured.class);
        assertThat(outcomes.get(0).toString()).contains("no queue 'waybill-no-queue'");
        assertThat(outcomes.get(1)).isEqualTo(NOT_ATTEMPTED);
    }

    @Test
    void a_missing_exchange_among_others_stops_only_its_own_messages() {
        String queue = BROKER.newQueue(Map.of());
        List<Envelope> batch = new ArrayList<>(messages(queue, 20, 0, 200));
        batch.add(70, message("waybill-no-exchange/k", "a", 200));
        batch.add(90, message("waybill-no-exchange/k", "b", 201));

        List<Outcome> outcomes = publisher.publish(batch, Deadline.NEVER);

        assertThat(outcomes).filteredOn(ACCEPTED::equals).hasSize(200);
        assertThat(outcomes)
                .filteredOn(Outcome.Misconfigured.class::isInstance)
                .singleElement()
                .asString()
                .contains(
                        "'waybill-no-exchange/k'",
                        "404",
                        BROKER.isRabbitMq() ? "no exchange 'waybill-no-exchange'" : "");
        OrderCheck check = Numbered.check(BROKER.contents(queue), 200);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    @Test
    void an_exchange_that_this_user_may_not_write_to_is_a_misconfiguration() {
        assumeRabbitMq("Qpid has no internal exchanges");
        String forbidden = BROKER.newInternalExchange();

        List<Outcome> outcomes = publish(message(forbidden + "/k", "a", 1));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Misconfigured.class);
        assertThat(outcomes.get(0).toString()).contains(forbidden, "403");
    }

    @Test
    void a_message_for_which_the_broker_closes_the_channel_is_refused_and_the_others_arrive_in_order() {
        assumeRabbitMq("Qpid gives the header CC no meaning");
        String queue = BROKER.newQueue(Map.of());
        List<Envelope> batch = new ArrayList<>(messages(queue, 20, 0, 200));
        batch.set(75, batch.get(75).withHeader("CC", "RabbitMQ wants a list here"));

        List<Outcome> outcomes = publisher.publish(batch, Deadline.NEVER);

        assertThat(outcomes.get(75)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(75).toString()).contains("406");
        assertThat(outcomes)
                .filteredOn(NOT_ATTEMPTED::equals)
                .as("behind it in its key")
                .hasSize(6);
        assertThat(outcomes).filteredOn(ACCEPTED::equals).hasSize(193);
        OrderCheck check = Numbered.check(BROKER.contents(queue), 193);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    @Test
    void what_AMQP_cannot_carry_is_refused_and_the_others_arrive() {
        String queue = BROKER.newQueue(Map.of());
        String tooLong = "x".repeat(256);

        List<Outcome> outcomes = publish(
                message(queue, "a", 1),
                message(queue, "b", 2).withHeader(tooLong, "a name may have 255 bytes"),
                message(queue, "c", 3),
                message("exchange/" + tooLong, "d", 4));

        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Misconfigured.class);
        assertThat(outcomes.get(0)).isEqualTo(ACCEPTED);
        assertThat(outcomes.get(2)).isEqualTo(ACCEPTED);
        assertThat(Numbered.check(BROKER.contents(queue), 2).lost()).isZero();
    }

    @Test
    void the_deadline_is_asked_before_every_message() {
        String queue = BROKER.newQueue(Map.of());
        var asked = new AtomicInteger();
        publish(message(BROKER.newQueue(Map.of()), "a", 0)); // Connecting asks once more.

        List<Outcome> outcomes =
                publisher.publish(messages(queue, 5, 0, 100), Deadline.when(() -> asked.incrementAndGet() > 30));

        assertThat(outcomes).filteredOn(ACCEPTED::equals).hasSize(30);
        assertThat(outcomes).filteredOn(NOT_ATTEMPTED::equals).hasSize(70);
        assertThat(BROKER.contents(queue)).hasSize(30);
    }

    @Test
    void a_queue_that_is_full_refuses_and_keeps_what_it_has_in_order() {
        assumeRabbitMq("Qpid has no queues that refuse when they are full");
        String queue = BROKER.newQueue(Map.of("x-max-length", 5, "x-overflow", "reject-publish"));

        List<Outcome> outcomes = publisher.publish(messages(queue, 1, 0, 8), Deadline.NEVER);

        assertThat(outcomes.subList(0, 5)).containsOnly(ACCEPTED);
        assertThat(outcomes.get(5)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(5).toString()).contains(queue, "full");
        assertThat(outcomes.subList(6, 8)).containsOnly(NOT_ATTEMPTED);
    }

    @Test
    void a_queue_that_refuses_and_connections_that_break_lose_nothing_and_reorder_nothing() {
        assumeRabbitMq("Qpid has no queues that refuse when they are full");
        String queue = BROKER.newQueue(Map.of("x-max-length", 30, "x-overflow", "reject-publish"));
        int total = 200 * Integer.getInteger("waybill.transport.cuts", 10);
        List<Delivery> consumed = new ArrayList<>();
        var random = new Random(3);
        long refusals = 0;
        try (var proxy = TcpProxy.to(BROKER.port());
                RabbitMq through = BROKER.open(proxy.port());
                Publisher cut = through.publisher("relay-2", WireFormat.PLAIN)) {
            List<Envelope> left = messages(queue, 10, 0, total);
            while (!left.isEmpty()) {
                if (!proxy.isCutting()) {
                    proxy.cutAfter(random.nextInt(60_000));
                }
                List<Envelope> sent = left.subList(0, Math.min(left.size(), 100));
                List<Outcome> outcomes = cut.publish(sent, Deadline.NEVER);
                refusals += outcomes.stream()
                        .filter(Outcome.Refused.class::isInstance)
                        .count();
                var next = new ArrayList<>(Numbered.left(sent, outcomes));
                next.addAll(left.subList(sent.size(), left.size()));
                left = next;
                consumed.addAll(BROKER.takeSome(queue, random.nextInt(30)));
            }
        }
        consumed.addAll(BROKER.contents(queue));
        OrderCheck check = Numbered.check(consumed, total);
        assertThat(refusals).as("refusals").isGreaterThan(10);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    private List<Outcome> publish(Envelope... batch) {
        return publisher.publish(List.of(batch), Deadline.NEVER);
    }

    private static void assumeRabbitMq(String reason) {
        assumeTrue(BROKER.isRabbitMq(), "NOT TESTED: " + reason);
    }
}
