package com.acme.payments;

import io.waybill.testkit.services.broker.KafkaNode;
import java.util.Map;

/** The same over Kafka: a group notices that a killed member is gone only after its session, so this one takes longer. */
final class KafkaSplitTest extends SplitContract {

    @Override
    String brokerUrl() {
        return "kafka://" + KafkaNode.shared().bootstrapServers()
                + "?consumer.session.timeout.ms=6000&consumer.heartbeat.interval.ms=2000";
    }

    @Override
    void createQueue(String name) {
        KafkaNode.shared().createTopic(name, 4, Map.of());
    }

    @Override
    boolean diesAfterSteps() {
        return FULL;
    }
}
