package io.waybill.testkit.services.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class KafkaNodeTest {

    private final KafkaNode kafka = KafkaNode.shared();

    @Test
    void a_record_produced_is_consumed_by_a_group() throws Exception {
        String topic = kafka.newTopic(1);
        try (var producer = new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                        new StringSerializer(),
                        new StringSerializer());
                var consumer = new KafkaConsumer<>(
                        Map.<String, Object>of(
                                "bootstrap.servers",
                                kafka.bootstrapServers(),
                                "group.id",
                                UUID.randomUUID().toString(),
                                "auto.offset.reset",
                                "earliest"),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            producer.send(new ProducerRecord<>(topic, "key", "value")).get();
            consumer.subscribe(List.of(topic));

            var received = new ArrayList<ConsumerRecord<String, String>>();
            Awaitility.await().until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(received::add);
                return !received.isEmpty();
            });

            assertThat(received).singleElement().satisfies(record -> {
                assertThat(record.key()).isEqualTo("key");
                assertThat(record.value()).isEqualTo("value");
            });
        }
    }

    @Test
    void a_topic_has_the_partitions_asked_for_and_a_name_of_its_own() throws Exception {
        String topic = kafka.newTopic(3);

        assertThat(kafka.newTopic(1)).isNotEqualTo(topic);
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var descriptions =
                    admin.describeTopics(List.of(topic)).allTopicNames().get();
            assertThat(descriptions.values())
                    .singleElement()
                    .satisfies(
                            description -> assertThat(description.partitions()).hasSize(3));
        }
    }
}
