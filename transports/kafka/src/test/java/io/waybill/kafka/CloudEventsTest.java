package io.waybill.kafka;

import static io.waybill.kafka.KafkaFixture.BROKER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.message.Encoding;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.CloudEventDeserializer;
import io.cloudevents.kafka.CloudEventSerializer;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.WireReader;
import io.waybill.transport.wire.WireFormat;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What we write is read by the reference implementation of CloudEvents, and the other way round. */
class CloudEventsTest {

    private static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final String topic = BROKER.newTopic(1);

    @ParameterizedTest
    @EnumSource(names = {"CLOUDEVENTS_BINARY", "CLOUDEVENTS_STRUCTURED"})
    void others_read_what_we_write(WireFormat format) {
        var message = new Envelope(
                UuidV7.SYSTEM.get(),
                Category.EVENT,
                "OrderPlaced",
                topic,
                "",
                "order-1",
                Payload.text("{\"total\": 12.5, \"who\": \"Żółć\"}"),
                Map.of("traceparent", TRACEPARENT, "correlation-id", "c-1", "source", "/shop"));
        try (var kafka = Kafka.at(BROKER.bootstrapServers());
                var publisher = kafka.publisher("relay-1", format)) {
            assertThat(publisher.publish(List.of(message), Deadline.NEVER)).containsExactly(new Outcome.Accepted());
        }

        ConsumerRecord<byte[], byte[]> record =
                KafkaFixture.records(topic, "read_committed").get(0);
        CloudEvent event = new CloudEventDeserializer().deserialize(topic, record.headers(), record.value());

        assertThat(event.getId()).isEqualTo(message.id().toString());
        assertThat(event.getType()).isEqualTo("OrderPlaced");
        assertThat(event.getSource()).isEqualTo(URI.create("/shop"));
        assertThat(event.getDataContentType()).isEqualTo("application/json");
        assertThat(event.getTime()).isNotNull();
        assertThat(event.getExtension("partitionkey")).isEqualTo("order-1");
        assertThat(event.getExtension("correlationid")).isEqualTo("c-1");
        assertThat(event.getExtension("traceparent")).isEqualTo(TRACEPARENT);
        assertThat(new String(Objects.requireNonNull(event.getData()).toBytes(), UTF_8).replace(" ", ""))
                .isEqualTo("{\"total\":12.5,\"who\":\"Żółć\"}");
    }

    @ParameterizedTest
    @EnumSource
    void we_read_what_others_write(Encoding encoding) {
        UUID id = UuidV7.SYSTEM.get();
        CloudEvent event = CloudEventBuilder.v1()
                .withId(id.toString())
                .withType("OrderPlaced")
                .withSource(URI.create("/shop"))
                .withDataContentType("application/json")
                .withExtension("correlationid", "c-1")
                .withExtension("traceparent", TRACEPARENT)
                .withExtension("partitionkey", "order-1")
                .withData("{\"total\":12.5}".getBytes(UTF_8))
                .build();
        write(event, encoding);

        var received = new CopyOnWriteArrayList<Envelope>();
        try (var kafka = Kafka.at(BROKER.bootstrapServers());
                var subscription = kafka.subscribe(
                        SubscriptionOptions.to(topic, "billing"),
                        batch -> batch.forEach(delivery -> received.add(WireReader.read(delivery))))) {
            await().until(() -> !received.isEmpty());
        }

        Envelope message = received.get(0);
        assertThat(message.id()).isEqualTo(id);
        assertThat(message.type()).isEqualTo("OrderPlaced");
        assertThat(message.partitionKey()).isEqualTo("order-1");
        assertThat(message.payload()).isEqualTo(Payload.text("{\"total\":12.5}"));
        assertThat(message.headers()).containsEntry("correlation-id", "c-1").containsEntry("traceparent", TRACEPARENT);
    }

    private void write(CloudEvent event, Encoding encoding) {
        var serializer = new CloudEventSerializer();
        serializer.configure(
                encoding == Encoding.BINARY
                        ? Map.of(CloudEventSerializer.ENCODING_CONFIG, encoding)
                        : Map.of(
                                CloudEventSerializer.ENCODING_CONFIG,
                                encoding,
                                CloudEventSerializer.EVENT_FORMAT_CONFIG,
                                JsonFormat.CONTENT_TYPE),
                false);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", BROKER.bootstrapServers()),
                new StringSerializer(),
                serializer)) {
            assertThat(producer.send(new ProducerRecord<>(topic, "order-1", event)))
                    .succeedsWithin(Duration.ofSeconds(30));
        }
    }
}
