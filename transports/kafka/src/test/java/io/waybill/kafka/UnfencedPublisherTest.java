package io.waybill.kafka;

import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemotePublisherContract;

class UnfencedPublisherTest extends RemotePublisherContract {

    private final KafkaFixture fixture = new KafkaFixture(Kafka::withoutFencing);

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return fixture;
    }
}
