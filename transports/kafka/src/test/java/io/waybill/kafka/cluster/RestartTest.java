package io.waybill.kafka.cluster;

import static io.waybill.testkit.Numbered.ACCEPTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.kafka.Kafka;
import io.waybill.kafka.KafkaFixture;
import io.waybill.message.Envelope;
import io.waybill.testkit.Numbered;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A node that is restarted while it is received from. */
class RestartTest {

    private final List<Delivery> received = new CopyOnWriteArrayList<>();

    @Test
    void nothing_is_lost_or_reordered() {
        try (var node = io.waybill.testkit.services.broker.KafkaNode.start();
                Kafka kafka = Kafka.at(node.bootstrapServers()).with(KafkaFixture.SHORT_PATIENCE)) {
            String topic = node.newTopic(3);
            publish(kafka, Numbered.messages(topic, 10, 0, 1_000));
            try (var subscription =
                    kafka.subscribe(SubscriptionOptions.to(topic, "billing").batchSize(20), received::addAll)) {
                await().until(() -> !received.isEmpty());
                node.restart();
                publish(kafka, Numbered.messages(topic, 10, 1_000, 1_100));
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> Numbered.check(received, 1_100).lost() == 0);
            }
        }
        assertThat(Numbered.check(received, 1_100).violations()).isEmpty();
    }

    /** Until the node has found itself again. */
    private static void publish(Kafka kafka, List<Envelope> messages) {
        try (var publisher = kafka.publisher("relay-1", WireFormat.PLAIN)) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(publisher.publish(messages, Deadline.NEVER))
                            .containsOnly(ACCEPTED));
        }
    }
}
