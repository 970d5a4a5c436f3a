package io.waybill.benchmarks.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.benchmarks.floor.FloorRelay;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Kafka's producer alone: everything is sent, then it waits for the last acknowledgement. A record that fails loses the order. */
final class BareKafka implements AutoCloseable {

    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    /** Large batches: with Kafka's own default of 16 KB this floor would be lower. */
    BareKafka(String bootstrapServers) {
        producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                        true,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        256 * 1024),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback hears of it.
    void send(List<FloorRelay.Row> rows) {
        for (FloorRelay.Row row : rows) {
            producer.send(
                    new ProducerRecord<>(
                            row.destination(),
                            row.partitionKey().getBytes(UTF_8),
                            row.payload().getBytes(UTF_8)),
                    (metadata, error) -> failure.compareAndSet(null, error));
        }
        producer.flush();
        if (failure.get() != null) {
            throw new IllegalStateException("Kafka's own producer failed.", failure.get());
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
