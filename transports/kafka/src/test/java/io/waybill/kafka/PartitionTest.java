package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static io.waybill.kafka.Messages.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Which partition a message goes to, and which key it has there. */
class PartitionTest {

    private final String topic = BROKER.newTopic(7);

    @Test
    void it_is_the_one_that_Kafkas_own_producer_chooses_for_the_partition_key_or_else_the_key() throws Exception {
        List<String> keys = keys();
        publish(IntStream.range(0, keys.size())
                .mapToObj(i ->
                        i % 2 == 0 ? message(topic, "another", keys.get(i), i) : message(topic, keys.get(i), "", i))
                .toList());
        Map<String, Integer> ours = partitionsByBody(topic);

        String theirs = BROKER.newTopic(7);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", BROKER.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            var sent = new ArrayList<Future<?>>();
            for (int i = 0; i < keys.size(); i++) {
                sent.add(producer.send(new ProducerRecord<>(
                        theirs, keys.get(i).getBytes(UTF_8), Integer.toString(i).getBytes(UTF_8))));
            }
            for (Future<?> one : sent) {
                one.get();
            }
        }
        assertThat(ours).hasSize(keys.size()).isEqualTo(partitionsByBody(theirs));
    }

    @Test
    void the_record_has_the_key_or_else_the_partition_key() {
        publish(List.of(
                message(topic, "k", "p", "\"both\""),
                message(topic, "k", "", "\"key\""),
                message(topic, "", "p", "\"partition key\""),
                message(topic, "", "", "\"none\"")));

        Map<String, String> keys = new HashMap<>();
        KafkaFixture.records(topic, "read_committed")
                .forEach(record -> keys.put(
                        new String(record.value(), UTF_8),
                        record.key() == null ? "" : new String(record.key(), UTF_8)));
        assertThat(keys).isEqualTo(Map.of("\"both\"", "k", "\"key\"", "k", "\"partition key\"", "p", "\"none\"", ""));
    }

    @Test
    void messages_without_any_key_are_spread() {
        publish(IntStream.range(0, 70).mapToObj(i -> message(topic, "", "", i)).toList());

        assertThat(KafkaFixture.records(topic, "read_committed").stream().map(ConsumerRecord::partition))
                .containsOnly(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void partitions_that_were_added_are_seen_by_whoever_takes_over_and_no_key_goes_back() throws Exception {
        String growing = BROKER.newTopic(2);
        try (var kafka = Kafka.at(BROKER.bootstrapServers());
                var one = kafka.publisher("relay-1", WireFormat.PLAIN);
                var other = kafka.publisher("relay-2", WireFormat.PLAIN)) {
            publish(one, round(growing, 1));
            publish(other, round(growing, 2));
            addPartitions(growing, 9);
            other.shardsTaken();
            publish(other, round(growing, 3));
            one.shardsTaken();
            publish(one, round(growing, 4));
        }
        Map<String, Integer> partitions = partitionsByBody(growing);
        for (int key = 0; key < 50; key++) {
            assertThat(partitions.get("1" + key + "1")).isEqualTo(partitions.get("2" + key + "1"));
            assertThat(partitions.get("3" + key + "1"))
                    .as("after the first relay has taken the key back")
                    .isEqualTo(partitions.get("4" + key + "1"));
        }
        assertThat(partitions.values()).contains(2, 3, 4, 5, 6, 7, 8);
    }

    private static List<Envelope> round(String topic, int round) {
        return IntStream.range(0, 50)
                .mapToObj(key -> message(topic, "", "key-" + key, round + "" + key + "1"))
                .toList();
    }

    private static void addPartitions(String topic, int total) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total)))
                    .all()
                    .get();
            await().until(() -> admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                    .allMatch(description -> description.partitions().size() == total));
        }
    }

    private static List<String> keys() {
        var keys = new ArrayList<>(List.of("Żółć", "日本語", " ", "a", "ab", "abc", "abcd"));
        IntStream.range(0, 500).forEach(i -> keys.add("order-" + i * 7919));
        return keys;
    }

    private static void publish(List<Envelope> batch) {
        try (var kafka = Kafka.at(BROKER.bootstrapServers());
                var publisher = kafka.publisher("relay-1", WireFormat.PLAIN)) {
            publish(publisher, batch);
        }
    }

    private static void publish(Publisher publisher, List<Envelope> batch) {
        assertThat(publisher.publish(batch, Deadline.NEVER)).containsOnly(new Outcome.Accepted());
    }

    private static Map<String, Integer> partitionsByBody(String topic) {
        var partitions = new HashMap<String, Integer>();
        KafkaFixture.records(topic, "read_committed")
                .forEach(record -> partitions.put(new String(record.value(), UTF_8), record.partition()));
        return partitions;
    }
}
