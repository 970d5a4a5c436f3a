package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.WireMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The broker of the tests, and what is in it, read with Kafka's own client. */
public final class KafkaFixture implements BrokerFixture<Kafka> {

    public static final io.waybill.testkit.services.broker.KafkaNode BROKER =
            io.waybill.testkit.services.broker.KafkaNode.shared();

    public static final Map<String, String> SHORT_PATIENCE =
            Map.of("request.timeout.ms", "2000", "default.api.timeout.ms", "2000");

    private final UnaryOperator<Kafka> settings;

    KafkaFixture(UnaryOperator<Kafka> settings) {
        this.settings = settings;
    }

    @Override
    public Kafka open(int port) {
        return settings.apply(Kafka.at("127.0.0.1:" + port).with(SHORT_PATIENCE));
    }

    @Override
    public int port() {
        return BROKER.port();
    }

    @Override
    public TcpProxy proxy() {
        return BROKER.proxy();
    }

    @Override
    public String newDestination() {
        return BROKER.newTopic(3);
    }

    @Override
    public List<Delivery> contents(String destination) {
        return records(destination, "read_committed").stream()
                .map(KafkaFixture::delivery)
                .toList();
    }

    @Override
    public String missingDestination() {
        return "no-such-topic-" + UUID.randomUUID();
    }

    @Override
    public Envelope refusable(Envelope message) {
        return message.withPayload(Payload.text("\"" + "x".repeat(1_100_000) + "\""));
    }

    /** The bodies in the topic, partition by partition. */
    public static List<String> bodies(String topic, String isolation) {
        return records(topic, isolation).stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }

    /** Everything in the topic, partition by partition. */
    static List<ConsumerRecord<byte[], byte[]>> records(String topic, String isolation) {
        var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        try (var consumer = consumer(isolation)) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = ends(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < ends.getOrDefault(partition, 0L))) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    /** Also of what a transaction has committed and its partitions do not know yet: that is awaited. */
    private static Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
        try (var consumer = consumer("read_uncommitted")) {
            return consumer.endOffsets(partitions);
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        BROKER.bootstrapServers(),
                        "isolation.level",
                        isolation,
                        "fetch.max.wait.ms",
                        10),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static Delivery delivery(ConsumerRecord<byte[], byte[]> record) {
        var headers = new HashMap<String, String>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return new Delivery(
                record.topic(),
                record.key() == null ? "" : new String(record.key(), UTF_8),
                "",
                new WireMessage(headers, record.value()));
    }
}
