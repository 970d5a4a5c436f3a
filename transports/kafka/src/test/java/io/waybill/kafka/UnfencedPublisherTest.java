package io.waybill.kafka;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.RemotePublisherContract;

class UnfencedPublisherTest extends RemotePublisherContract {

    private final KafkaFixture fixture = new KafkaFixture(Kafka::withoutFencing);

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return fixture;
    }
}
