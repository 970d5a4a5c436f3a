package io.waybill.kafka;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.PublisherContract;
import java.util.function.UnaryOperator;

class KafkaPublisherTest extends PublisherContract {

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return new KafkaFixture(UnaryOperator.identity());
    }
}
