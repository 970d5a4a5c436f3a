package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.WireReader;
import io.waybill.transport.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Records of others: without an id, with keys that are no text. */
class RecordsTest {

    private static final int RECORDS = 10;

    private final Kafka kafka = Kafka.at(BROKER.bootstrapServers());

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void a_record_without_an_id_is_recognised_and_not_mistaken_for_one_of_a_topic_made_anew() throws Exception {
        String topic = BROKER.newTopic(1);
        send(topic, null);
        List<UUID> first = ids(topic);
        assertThat(ids(topic)).as("delivered again").containsExactlyElementsOf(first);

        makeAnew(topic);
        send(topic, null);
        List<UUID> second = ids(topic);

        assertThat(second).hasSize(RECORDS).doesNotContainAnyElementsOf(first).doesNotHaveDuplicates();
    }

    @Test
    void a_position_names_the_cluster_and_the_time_of_the_record() {
        String topic = BROKER.newTopic(1);
        send(topic, null);

        assertThat(receive(topic).get(0).position()).matches(topic + "-0@0 of \\d{13} in " + clusterId());
    }

    @Test
    void a_key_that_is_no_text_keeps_its_bytes_when_it_is_published_again() {
        byte[] key = {0, (byte) 0xff, (byte) 0xc3, 0x28};
        String topic = BROKER.newTopic(8);
        send(topic, key);
        Envelope received = receive(topic).get(0).message();
        String other = BROKER.newTopic(8);

        try (var publisher = kafka.publisher("relay-1", WireFormat.PLAIN)) {
            assertThat(publisher.publish(List.of(received.withDestination(other)), Deadline.NEVER))
                    .containsExactly(new Outcome.Accepted());
        }

        var before = KafkaFixture.records(topic, "read_committed").get(0);
        var after = KafkaFixture.records(other, "read_committed").get(0);
        assertThat(after.key()).isEqualTo(key);
        assertThat(after.partition()).isEqualTo(before.partition());
    }

    private record Delivered(String position, Envelope message) {}

    private List<UUID> ids(String topic) {
        return receive(topic).stream().map(one -> one.message.id()).toList();
    }

    private List<Delivered> receive(String topic) {
        var received = new CopyOnWriteArrayList<Delivered>();
        try (var subscription = kafka.subscribe(
                SubscriptionOptions.to(topic, "group-" + UUID.randomUUID()),
                batch -> batch.forEach(one -> received.add(new Delivered(one.position(), WireReader.read(one)))))) {
            await().atMost(30, SECONDS).until(() -> received.size() == RECORDS);
        }
        return received;
    }

    private static void send(String topic, byte @Nullable [] key) {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            var sent = new ArrayList<Future<RecordMetadata>>();
            for (int i = 0; i < RECORDS; i++) {
                var record = new ProducerRecord<byte[], byte[]>(
                        topic, key, String.valueOf(i).getBytes(UTF_8));
                sent.add(producer.send(record));
            }
            producer.flush();
            assertThat(sent).allMatch(Future::isDone);
        }
    }

    private static void makeAnew(String topic) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            admin.deleteTopics(List.of(topic)).all().get(30, SECONDS);
            await().until(() -> !admin.listTopics().names().get(30, SECONDS).contains(topic));
        }
        BROKER.createTopic(topic, 1, Map.of());
    }

    private static String clusterId() {
        try (var admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            return admin.describeCluster().clusterId().get(30, SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
