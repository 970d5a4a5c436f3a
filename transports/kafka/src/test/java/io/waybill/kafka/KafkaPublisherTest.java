package io.waybill.kafka;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.RemotePublisherContract;
import java.util.function.UnaryOperator;

class KafkaPublisherTest extends RemotePublisherContract {

    private final KafkaFixture fixture = new KafkaFixture(UnaryOperator.identity());

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return fixture;
    }
}
