package io.waybill.kafka;

import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemoteSubscriptionContract;
import java.util.function.UnaryOperator;

class KafkaSubscriptionTest extends RemoteSubscriptionContract {

    private final KafkaFixture fixture = new KafkaFixture(UnaryOperator.identity());

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return fixture;
    }
}
