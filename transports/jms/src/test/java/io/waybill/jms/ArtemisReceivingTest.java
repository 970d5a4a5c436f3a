package io.waybill.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.Backoff;
import io.waybill.Time;
import io.waybill.jms.client.ArtemisClient;
import io.waybill.jms.client.JmsEndpoint;
import io.waybill.jms.receive.Pause;
import io.waybill.jms.receive.ReceiveLoop;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Receiver;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.SubscriptionState;
import io.waybill.transport.WireReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the contracts do not ask of a subscription: groups, redelivery limits, other people's messages. */
class ArtemisReceivingTest extends ArtemisScenario {

    @Test
    void several_consumers_keep_the_order_of_every_key() {
        String queue = broker.newQueue();
        Map<String, List<Integer>> byKey = new ConcurrentHashMap<>();
        Map<String, Thread> threads = new ConcurrentHashMap<>();
        var others = new AtomicInteger();
        try (var subscription = jms.subscribe(
                SubscriptionOptions.to(queue, "billing").concurrency(4).batchSize(20),
                batch -> batch.forEach(delivery -> {
                    byKey.computeIfAbsent(delivery.key(), none -> new CopyOnWriteArrayList<>())
                            .add(number(delivery));
                    threads.put(Thread.currentThread().getName(), Thread.currentThread());
                }))) {
            // A consumer that starts alone would get every key.
            await().atMost(PATIENCE).until(() -> {
                publish(jms, message(queue, "other-" + others.incrementAndGet(), 0));
                return threads.size() > 1;
            });
            publish(
                    jms,
                    IntStream.range(0, 2_000)
                            .mapToObj(i -> message(queue, "key-" + i % 50, i))
                            .toArray(Envelope[]::new));
            await().atMost(PATIENCE)
                    .until(() -> byKey.values().stream().mapToInt(List::size).sum() >= 2_000 + others.get());
        }
        byKey.keySet().removeIf(key -> key.startsWith("other-"));
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

        assertThat(received).extracting(ArtemisScenario::number).containsExactly(1, 2);
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

        assertThat(received).extracting(ArtemisScenario::number).containsExactly(1, 2);
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

    /** As a subscription does, with pauses of a millisecond, until two messages were received. */
    private void receive(String queue, Receiver receiver) {
        var stop = new CountDownLatch(1);
        try (JmsEndpoint endpoint = ArtemisClient.at(url(), TestBroker.USER, TestBroker.PASSWORD)) {
            var options = SubscriptionOptions.to(queue, "billing");
            var thread = new Thread(new ReceiveLoop(
                    endpoint,
                    queue,
                    options,
                    receiver,
                    new Pause(stop, Backoff.exact(Duration.ofMillis(1), Duration.ofMillis(1))),
                    new SubscriptionState(LoggerFactory.getLogger(getClass()), options, Time.system())));
            thread.start();
            await().atMost(PATIENCE).until(() -> received.size() >= 2);
            stop.countDown();
            await().atMost(PATIENCE).until(() -> !thread.isAlive());
        }
    }
}
