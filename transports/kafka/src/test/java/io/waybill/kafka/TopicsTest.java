package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.WireReader;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.LoggerFactory;

/** Topics that are not as usual: with large messages, or compacted. */
class TopicsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Kafka kafka = Kafka.at(BROKER.bootstrapServers());
    private final List<Delivery> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void messages_of_megabytes_arrive_whole_and_in_order_among_small_ones() {
        String topic = BROKER.newTopic(2, Map.of("max.message.bytes", "6000000"));
        List<Envelope> sent = IntStream.range(0, 40)
                .mapToObj(i -> message(
                        topic, "", "key-" + i % 3, body(i, i % 4 == 0 ? 950_000 : i % 10 == 5 ? 5_000_000 : 10)))
                .toList();
        try (var publisher = kafka.publisher("relay-1", WireFormat.PLAIN);
                var subscription = kafka.subscribe(SubscriptionOptions.to(topic, "large"), received::addAll)) {
            assertThat(publisher.publish(sent, Deadline.NEVER)).containsOnly(new Outcome.Accepted());
            await().atMost(PATIENCE).until(() -> received.size() >= 40);
        }
        for (int key = 0; key < 3; key++) {
            String name = "key-" + key;
            assertThat(bodies(received.stream().map(WireReader::read).toList(), name))
                    .isEqualTo(bodies(sent, name));
        }
    }

    private static String body(int number, int size) {
        return "\"" + number + "x".repeat(size) + "\"";
    }

    private static List<String> bodies(List<Envelope> messages, String key) {
        return messages.stream()
                .filter(message -> message.partitionKey().equals(key))
                .map(message -> message.payload().asText())
                .toList();
    }

    @Test
    void a_compacted_topic_is_received_with_its_gaps_and_its_tombstones() throws Exception {
        String topic = BROKER.newTopic(
                1,
                Map.of(
                        "cleanup.policy", "compact",
                        "segment.ms", "100",
                        "min.cleanable.dirty.ratio", "0.01",
                        "min.compaction.lag.ms", "0",
                        "max.compaction.lag.ms", "100"));
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", BROKER.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int round = 0; round < 5; round++) {
                for (int key = 0; key < 10; key++) {
                    producer.send(record(topic, "key-" + key, Integer.toString(round)))
                            .get();
                }
                await().pollDelay(Duration.ofMillis(150)).until(() -> true);
            }
            producer.send(record(topic, "key-0", null)).get();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> KafkaFixture.records(topic, "read_committed").size() < 51);
        }
        try (var subscription = kafka.subscribe(SubscriptionOptions.to(topic, "compacted"), received::addAll)) {
            await().atMost(PATIENCE)
                    .until(() -> received.stream()
                            .anyMatch(delivery -> delivery.message().body().length == 0));
        }
        assertThat(received).extracting(Delivery::key).contains("key-0", "key-1", "key-9");
        assertThat(received)
                .as("what is left of 51 messages, each once")
                .hasSizeLessThan(51)
                .extracting(Delivery::position)
                .doesNotHaveDuplicates();
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, String key, @Nullable String value) {
        return new ProducerRecord<>(topic, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
    }

    /** With -Dwaybill.transport.latency=500: from the call of publish to the receiver, one message after the other. */
    @Test
    @EnabledIfSystemProperty(named = "waybill.transport.latency", matches = "[0-9]+")
    void how_long_a_message_takes() throws Exception {
        int count = Integer.getInteger("waybill.transport.latency");
        for (int partitions : new int[] {1, 12}) {
            for (boolean fencing : new boolean[] {true, false}) {
                String topic = BROKER.newTopic(partitions);
                var arrivals = new SynchronousQueue<Long>();
                List<Long> micros = new ArrayList<>();
                Kafka sender = fencing ? kafka : kafka.withoutFencing();
                try (var publisher = sender.publisher("relay-1", WireFormat.PLAIN);
                        var subscription = kafka.subscribe(
                                SubscriptionOptions.to(topic, "latency"), batch -> arrivals.put(System.nanoTime()))) {
                    for (int i = 0; i < count; i++) {
                        long start = System.nanoTime();
                        publisher.publish(List.of(message(topic, "", "key-" + i % 20, i)), Deadline.NEVER);
                        long arrival = Objects.requireNonNull(arrivals.poll(30, TimeUnit.SECONDS));
                        if (i > 50) {
                            micros.add((arrival - start) / 1_000);
                        }
                    }
                }
                Collections.sort(micros);
                LoggerFactory.getLogger(getClass())
                        .warn(
                                "{} partitions, fencing {}: p50 {} us, p95 {} us, p99 {} us, max {} us",
                                partitions,
                                fencing,
                                micros.get(micros.size() / 2),
                                micros.get(micros.size() * 95 / 100),
                                micros.get(micros.size() * 99 / 100),
                                micros.get(micros.size() - 1));
            }
        }
    }
}
