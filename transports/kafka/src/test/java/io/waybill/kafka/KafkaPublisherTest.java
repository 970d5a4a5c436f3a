package io.waybill.kafka;

import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemotePublisherContract;
import java.util.function.UnaryOperator;

class KafkaPublisherTest extends RemotePublisherContract {

    private final KafkaFixture fixture = new KafkaFixture(UnaryOperator.identity());

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return fixture;
    }
}
