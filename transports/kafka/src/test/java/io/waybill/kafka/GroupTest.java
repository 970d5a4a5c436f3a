package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Members of a group: slow ones, new ones, ones that leave. */
class GroupTest {

    private final String topic = BROKER.newTopic(4);
    private final Kafka kafka = Kafka.at(BROKER.bootstrapServers());

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void a_receiver_slower_than_a_member_may_stay_away_from_polling_keeps_its_partitions() throws Exception {
        publish(40);
        Kafka impatient = kafka.withConsumer(
                Map.of("max.poll.interval.ms", "1000", "session.timeout.ms", "1000", "heartbeat.interval.ms", "300"));
        var calls = new AtomicInteger();
        var positions = new CopyOnWriteArrayList<String>();
        var never = new CountDownLatch(1);
        try (var subscription = impatient.subscribe(SubscriptionOptions.to(topic, "slow"), batch -> {
            if (calls.incrementAndGet() == 1) {
                assertThat(never.await(3, SECONDS)).isFalse();
            }
            batch.forEach(delivery -> positions.add(delivery.position()));
        })) {
            await().atMost(30, SECONDS).until(() -> positions.size() >= 40);
        }
        assertThat(positions).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void a_position_names_topic_partition_and_offset() {
        publish(1);
        var positions = new CopyOnWriteArrayList<String>();
        try (var subscription = subscribe("readers", batch -> batch.forEach(one -> positions.add(one.position())))) {
            await().until(() -> !positions.isEmpty());
        }
        assertThat(positions.get(0)).startsWith(topic).containsPattern("-[0-3]@0 of \\d+ in ");
    }

    @Test
    void members_that_come_and_go_lose_nothing_and_repeat_nothing_that_was_finished() {
        publish(4_000);
        var seen = new ConcurrentHashMap<String, Integer>();
        Receiver receiver = batch -> batch.forEach(one -> seen.merge(one.position(), 1, Integer::sum));
        try (var first = subscribe("crowd", receiver)) {
            await().until(() -> seen.size() > 100);
            try (var second = subscribe("crowd", receiver);
                    var third = subscribe("crowd", receiver)) {
                await().atMost(30, SECONDS).until(() -> seen.size() > 2_000);
            }
            await().atMost(30, SECONDS).until(() -> seen.size() == 4_000);
        }
        assertThat(seen.values()).containsOnly(1);
    }

    @Test
    void each_group_gets_everything() {
        publish(100);
        Set<String> billing = ConcurrentHashMap.newKeySet();
        Set<String> shipping = ConcurrentHashMap.newKeySet();
        try (var one = subscribe("billing", keepIn(billing));
                var other = subscribe("shipping", keepIn(shipping))) {
            await().until(() -> billing.size() == 100 && shipping.size() == 100);
        }
        assertThat(new HashSet<>(billing)).isEqualTo(new HashSet<>(shipping));
    }

    @Test
    void a_partition_whose_receiver_fails_does_not_stop_the_others() {
        publish(400);
        Set<Delivery> received = ConcurrentHashMap.newKeySet();
        var options = SubscriptionOptions.to(topic, "picky").concurrency(2);
        try (var subscription = kafka.subscribe(options, batch -> {
            if (batch.get(0).position().contains(topic + "-0@")) {
                throw new IllegalStateException("not this one");
            }
            received.addAll(batch);
        })) {
            long others = KafkaFixture.records(topic, "read_committed").stream()
                    .filter(record -> record.partition() != 0)
                    .count();
            await().until(() -> received.size() == others);
        }
    }

    private static Receiver keepIn(Set<String> positions) {
        return batch -> batch.forEach(one -> positions.add(one.position()));
    }

    private Subscription subscribe(String group, Receiver receiver) {
        return kafka.subscribe(SubscriptionOptions.to(topic, group), receiver);
    }

    private void publish(int count) {
        try (var publisher = kafka.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(
                            IntStream.range(0, count)
                                    .mapToObj(i -> message(topic, "", "key-" + i % 50, i))
                                    .toList(),
                            Deadline.NEVER))
                    .containsOnly(new Outcome.Accepted());
        }
    }
}
