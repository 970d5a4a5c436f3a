package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.WaybillException;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.testkit.services.TcpProxy;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Receiver;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import io.waybill.transport.WireFormat;
import io.waybill.transport.WireReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What the contracts do not ask: rights, TLS, full queues, groups, redelivery limits, other people's messages. */
class ArtemisTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestBroker broker = TestBroker.SHARED;
    private final ArtemisFixture fixture = new ArtemisFixture();
    private final Jms jms = fixture.open(fixture.port());
    private final List<Delivery> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        jms.close();
    }

    @Test
    void a_wrong_password_is_a_misconfiguration_told_in_one_line_without_it() {
        String queue = broker.newQueue();
        try (var intruder = Jms.artemis(url(), "app", "wr0ng-secret")) {
            Outcome outcome = publish(intruder, message(queue, "key", 1)).get(0);

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Misconfigured.class,
                            wrong -> assertThat(wrong.reason())
                                    .contains("Artemis at " + url(), "Unable to validate user")
                                    .doesNotContain("wr0ng-secret", "\n"));
            assertThatThrownBy(() -> intruder.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("refuses the connection")
                    .hasMessageNotContaining("wr0ng-secret");
        }
    }

    @Test
    void a_queue_we_may_not_send_to_is_a_misconfiguration_and_others_go_on() {
        String forbidden = broker.newQueue(TestBroker.FORBIDDEN);
        String queue = broker.newQueue();

        List<Outcome> outcomes = publish(
                jms,
                message(queue, "key", 1),
                message(forbidden, "key", 2),
                message(queue, "key", 3),
                message(forbidden, "key", 4),
                message(queue, "key", 5));

        assertThat(outcomes.get(1))
                .isInstanceOfSatisfying(
                        Outcome.Misconfigured.class,
                        wrong -> assertThat(wrong.reason()).contains(forbidden).doesNotContain("\n"));
        assertThat(outcomes.get(3)).isEqualTo(new Outcome.NotAttempted());
        assertThat(numbers(queue)).containsExactly(1, 3, 5);
        assertThat(numbers(forbidden)).isEmpty();
    }

    @Test
    void refused_messages_cost_the_others_nothing() {
        String queue = broker.newQueue();
        var batch = new ArrayList<Envelope>();
        for (int i = 0; i < 400; i++) {
            Envelope message = message(queue, "key-" + i % 40, i);
            batch.add(i % 100 == 50 ? fixture.refusable(message) : message);
        }

        List<Outcome> outcomes = publish(jms, batch.toArray(Envelope[]::new));

        // 50 and 250 have one key, 150 and 350 another: behind the first refusal of a key nothing of it is sent.
        List<Integer> expected = IntStream.range(0, 400)
                .filter(i -> !(i % 40 == 10 && i >= 50) && !(i % 40 == 30 && i >= 150))
                .boxed()
                .toList();
        assertThat(outcomes.stream().filter(Outcome.Refused.class::isInstance)).hasSize(2);
        assertThat(numbers(queue)).containsExactlyElementsOf(expected);
    }

    @Test
    void a_queue_that_is_full_is_unavailable_and_others_go_on() {
        String queue = broker.newQueue();

        List<Outcome> outcomes = publish(
                jms,
                message(queue, "key", 1),
                large(TestBroker.FAILING_WHEN_FULL, 2),
                large(TestBroker.FAILING_WHEN_FULL, 3),
                large(TestBroker.FAILING_WHEN_FULL, 4),
                message(queue, "key", 5));

        assertThat(outcomes)
                .anyMatch(Outcome.Unavailable.class::isInstance)
                .noneMatch(Outcome.Refused.class::isInstance);
        assertThat(numbers(queue)).containsExactly(1, 5);
    }

    @Test
    void a_broker_that_lets_a_sender_wait_for_ever_is_unavailable_after_the_timeout() {
        String queue = broker.newQueue();
        try (var publisher = jms.withTimeout(Duration.ofSeconds(1)).publisher("relay-1", WireFormat.PLAIN)) {
            List<Outcome> outcomes = publisher.publish(
                    IntStream.range(0, 10)
                            .mapToObj(i -> large(TestBroker.BLOCKING_WHEN_FULL, i))
                            .toList(),
                    () -> false);

            assertThat(outcomes)
                    .anySatisfy(outcome -> assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    Outcome.Unavailable.class,
                                    away -> assertThat(away.reason()).contains("did not answer within 1 s")));
            assertThat(publisher.publish(List.of(message(queue, "key", 1)), () -> false))
                    .containsExactly(new Outcome.Accepted());
        }
    }

    @Test
    void a_deadline_that_passes_before_the_commit_leaves_nothing_at_the_broker() {
        String queue = broker.newQueue();
        var asked = new AtomicInteger();
        try (var publisher = jms.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(
                            IntStream.range(0, 10)
                                    .mapToObj(i -> message(queue, "key", i))
                                    .toList(),
                            () -> asked.incrementAndGet() > 8))
                    .containsOnly(new Outcome.NotAttempted());
        }
        assertThat(numbers(queue)).isEmpty();
    }

    @Test
    void tls_carries_messages() {
        String queue = broker.newQueue();
        try (Transport tls = tls(
                broker.tlsPort(),
                "&trust-store=" + broker.store() + "&trust-store-password=" + TestBroker.STORE_PASSWORD)) {
            assertThat(publish(tls, message(queue, "key", 1))).containsExactly(new Outcome.Accepted());
        }
        assertThat(numbers(queue)).containsExactly(1);
    }

    @Test
    void a_plain_connection_to_a_tls_port_and_an_untrusted_certificate_are_told_in_one_line() {
        try (Transport plain = Transports.open("jms+artemis://127.0.0.1:" + broker.tlsPort() + "?timeout-seconds=2");
                Transport untrusted = tls(broker.tlsPort(), "")) {
            assertMismatch(plain);
            assertMismatch(untrusted);
        }
    }

    /** Ten seconds, which is how long the client waits for the answer to its TLS greeting: only with -Pfull. */
    @Test
    @EnabledIfSystemProperty(named = "waybill.transport.cuts", matches = "\\d+")
    void tls_to_a_plain_port_is_told_in_one_line() {
        try (Transport tls = tls(broker.port(), "")) {
            assertMismatch(tls);
        }
    }

    private static void assertMismatch(Transport transport) {
        assertThat(publish(transport, message("orders", "key", 1)).get(0))
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        away -> assertThat(away.reason())
                                .contains("Artemis at tcp://127.0.0.1:", "TLS")
                                .doesNotContain("\n", TestBroker.PASSWORD));
    }

    @Test
    void several_consumers_keep_the_order_of_every_key() {
        String queue = broker.newQueue();
        publish(
                jms,
                IntStream.range(0, 2_000)
                        .mapToObj(i -> message(queue, "key-" + i % 50, i))
                        .toArray(Envelope[]::new));
        Map<String, List<Integer>> byKey = new ConcurrentHashMap<>();
        Map<String, Thread> threads = new ConcurrentHashMap<>();
        var count = new AtomicInteger();
        try (var subscription = jms.subscribe(
                SubscriptionOptions.to(queue, "billing").concurrency(4).batchSize(20),
                batch -> batch.forEach(delivery -> {
                    byKey.computeIfAbsent(delivery.key(), none -> new CopyOnWriteArrayList<>())
                            .add(number(delivery));
                    threads.put(Thread.currentThread().getName(), Thread.currentThread());
                    count.incrementAndGet();
                }))) {
            await().atMost(PATIENCE).until(() -> count.get() >= 2_000);
        }
        assertThat(threads).hasSizeGreaterThan(1);
        assertThat(byKey)
                .hasSize(50)
                .allSatisfy((key, numbers) -> assertThat(numbers).hasSize(40).isSorted());
    }

    /** Artemis gives a message up after ten deliveries, and without a dead-letter address it is gone. */
    @Test
    void a_receiver_that_fails_for_long_uses_up_no_deliveries() {
        String queue = broker.newQueue();
        publish(jms, message(queue, "key", 1), message(queue, "key", 2));
        var failures = new AtomicInteger();

        receive(queue, batch -> {
            if (failures.incrementAndGet() <= 30) {
                throw new IllegalStateException("the database is away");
            }
            received.addAll(batch);
        });

        assertThat(received).extracting(ArtemisTest::number).containsExactly(1, 2);
        assertThat(failures).hasValueGreaterThan(30);
    }

    @Test
    void a_message_that_cannot_be_read_is_left_to_the_broker_and_the_others_are_received_in_order() {
        String queue = broker.newQueue();
        publish(jms, message(queue, "", 1));
        try (var context = broker.client().createContext()) {
            context.createProducer().send(context.createQueue(queue), Map.of("a", "map"));
        }
        publish(jms, message(queue, "", 2));

        receive(queue, received::addAll);

        assertThat(received).extracting(ArtemisTest::number).containsExactly(1, 2);
    }

    @Test
    void messages_of_others_are_received_with_their_properties_and_a_stable_id() {
        String queue = broker.newQueue();
        try (var context = broker.client().createContext()) {
            context.createProducer()
                    .setJMSType("PlaceOrder")
                    .setJMSCorrelationID("c-1")
                    .setProperty("priority", 7)
                    .send(context.createQueue(queue), "{\"number\":1}");
        }
        try (var subscription = jms.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
            await().atMost(PATIENCE).until(() -> received.size() == 1);
        }
        Delivery delivery = received.get(0);
        Envelope envelope = WireReader.read(delivery);

        assertThat(delivery.position()).startsWith("ID:");
        assertThat(envelope.id()).isEqualTo(WireReader.read(delivery).id());
        assertThat(envelope.type()).isEqualTo("PlaceOrder");
        assertThat(envelope.headers()).containsEntry("correlation-id", "c-1").containsEntry("priority", "7");
        assertThat(envelope.payload()).isEqualTo(Payload.text("{\"number\":1}"));
    }

    @Test
    void messages_larger_than_a_frame_arrive_whole() {
        String queue = broker.newQueue();
        byte[] bytes = new byte[300_000];
        new Random(5).nextBytes(bytes);
        Envelope text = message(queue, "key", 1).withPayload(Payload.text("\"" + "ż".repeat(150_000) + "\""));
        Envelope binary = new Envelope(
                UuidV7.SYSTEM.get(), Category.EVENT, "Picture", queue, "", "key", Payload.binary(bytes), Map.of());

        assertThat(publish(jms, text, binary)).containsOnly(new Outcome.Accepted());

        try (var subscription = jms.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
            await().atMost(PATIENCE).until(() -> received.size() == 2);
        }
        assertThat(received)
                .extracting(delivery -> WireReader.read(delivery).payload())
                .containsExactly(text.payload(), binary.payload());
    }

    @Test
    void a_broker_that_is_away_when_subscribing_is_waited_for() {
        String queue = broker.newQueue();
        publish(jms, message(queue, "key", 1));
        try (var proxy = TcpProxy.to(broker.port());
                Jms through = fixture.open(proxy.port())) {
            proxy.refuse();
            try (var subscription = through.subscribe(SubscriptionOptions.to(queue, "billing"), received::addAll)) {
                proxy.restore();
                await().atMost(PATIENCE).until(() -> received.size() == 1);
            }
        }
    }

    @Test
    void closing_the_broker_ends_its_subscriptions() {
        jms.subscribe(SubscriptionOptions.to(broker.newQueue(), "billing"), received::addAll);

        jms.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("waybill-jms-"));
    }

    @Test
    void destinations_go_to_queues_by_the_convention() throws Exception {
        broker.createQueue("APP.CMD.CREATEORDER.Q");
        Jms named = jms.withQueueNames(new QueueNames("APP.CMD", "Q"));

        assertThat(publish(named, message("CreateOrder", "key", 1), message("Create Order", "key", 2)))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(new Outcome.Accepted()),
                        second -> assertThat(second).isInstanceOf(Outcome.Misconfigured.class));
        try (var subscription = named.subscribe(SubscriptionOptions.to("CreateOrder", "orders"), received::addAll)) {
            await().atMost(PATIENCE).until(() -> received.size() == 1);
        }
        assertThat(received.get(0).source()).isEqualTo("CreateOrder");
    }

    @Test
    void required_queues_that_are_missing_are_all_named_with_how_to_create_them() {
        String there = broker.newQueue();
        jms.requireQueues(there);

        assertThatThrownBy(() -> jms.requireQueues("missing.one", there, "missing.two"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("has no 'missing.one', 'missing.two'")
                .hasMessageContaining("artemis queue create --name missing.two")
                .hasMessageNotContaining(there);
    }

    /** As a subscription does, with pauses of a millisecond, until two messages were received. */
    private void receive(String queue, Receiver receiver) {
        var stop = new CountDownLatch(1);
        try (Endpoint endpoint = ArtemisClient.at(url(), TestBroker.USER, TestBroker.PASSWORD)) {
            var thread = new Thread(new ReceiveLoop(
                    endpoint,
                    queue,
                    SubscriptionOptions.to(queue, "billing"),
                    receiver,
                    new Pause(stop, Duration.ofMillis(1), Duration.ofMillis(1))));
            thread.start();
            await().atMost(PATIENCE).until(() -> received.size() >= 2);
            stop.countDown();
            await().atMost(PATIENCE).until(() -> !thread.isAlive());
        }
    }

    private String url() {
        return "tcp://127.0.0.1:" + broker.port();
    }

    private static Transport tls(int port, String parameters) {
        return Transports.open(
                "jms+artemis://app:pa%3Ass%40w0rd@127.0.0.1:" + port + "?timeout-seconds=2&tls=true" + parameters);
    }

    private static List<Outcome> publish(Transport transport, Envelope... batch) {
        try (var publisher = transport.publisher("relay-1", WireFormat.PLAIN)) {
            return publisher.publish(List.of(batch), () -> false);
        }
    }

    private static Envelope message(String destination, String key, int number) {
        return new Envelope(
                UuidV7.SYSTEM.get(),
                Category.EVENT,
                "Numbered",
                destination,
                "",
                key,
                Payload.text("{\"number\":" + number + "}"),
                Map.of());
    }

    private static Envelope large(String destination, int number) {
        return message(destination, "key-" + number, number)
                .withPayload(Payload.text("{\"text\":\"" + "x".repeat(10_000) + "\",\"number\":" + number + "}"));
    }

    private List<Integer> numbers(String queue) {
        return fixture.contents(queue).stream().map(ArtemisTest::number).toList();
    }

    private static int number(Delivery delivery) {
        String text = WireReader.read(delivery).payload().asText();
        return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1, text.length() - 1));
    }
}
