package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.kafka.cluster.Rights;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the broker knows of a group: its members, its offsets, and the lag that people have alerts on. */
class OffsetsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String topic = BROKER.newTopic(3);
    private final Kafka kafka = Kafka.at(BROKER.bootstrapServers());
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()));
    private final List<Delivery> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        kafka.close();
        admin.close();
    }

    /** The end of a transaction takes an offset too, which nobody receives. */
    @Test
    void the_lag_is_zero_when_everything_is_received_also_behind_transactions() throws Exception {
        String group = "group-of-" + topic;
        for (int wave = 0; wave < 3; wave++) {
            publish(kafka, 30);
        }
        publish(kafka.withoutFencing(), 30);
        try (var subscription = kafka.subscribe(SubscriptionOptions.to(topic, group), received::addAll)) {
            await().atMost(PATIENCE).until(() -> received.size() == 120);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(lag(group)).isZero());
            publish(kafka, 30);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(lag(group)).isZero());
        }
        assertThat(received).hasSize(150);
        assertThat(lag(group)).as("after closing").isZero();
    }

    @Test
    void closing_leaves_the_group_also_when_the_last_commit_fails() throws Exception {
        String group = "group-of-" + topic;
        publish(kafka, 30);
        var subscription = kafka.subscribe(SubscriptionOptions.to(topic, group), received::addAll);
        await().atMost(PATIENCE).until(() -> received.size() == 30);
        Rights.deny(AclOperation.READ, topic);

        subscription.close();

        var groups = admin.describeConsumerGroups(List.of(group)).all().get();
        assertThat(groups.values())
                .flatExtracting(description -> description.members())
                .isEmpty();
    }

    private long lag(String group) throws Exception {
        var committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        Map<TopicPartition, OffsetSpec> latest = Map.of(
                new TopicPartition(topic, 0), OffsetSpec.latest(),
                new TopicPartition(topic, 1), OffsetSpec.latest(),
                new TopicPartition(topic, 2), OffsetSpec.latest());
        return admin.listOffsets(latest).all().get().entrySet().stream()
                .mapToLong(end -> end.getValue().offset()
                        - (committed.containsKey(end.getKey())
                                ? committed.get(end.getKey()).offset()
                                : 0))
                .sum();
    }

    private void publish(Kafka to, int count) {
        try (var publisher = to.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(
                            IntStream.range(0, count)
                                    .mapToObj(i -> message(topic, "", "key-" + i, i))
                                    .toList(),
                            Deadline.NEVER))
                    .containsOnly(new Outcome.Accepted());
        }
    }
}
