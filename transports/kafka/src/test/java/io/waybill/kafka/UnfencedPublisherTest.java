package io.waybill.kafka;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.PublisherContract;

class UnfencedPublisherTest extends PublisherContract {

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return new KafkaFixture(Kafka::withoutFencing);
    }
}
