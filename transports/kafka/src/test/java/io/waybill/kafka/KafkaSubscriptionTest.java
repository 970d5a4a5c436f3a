package io.waybill.kafka;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.SubscriptionContract;
import java.util.function.UnaryOperator;

class KafkaSubscriptionTest extends SubscriptionContract {

    @Override
    protected BrokerFixture<Kafka> fixture() {
        return new KafkaFixture(UnaryOperator.identity());
    }
}
