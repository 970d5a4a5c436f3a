package io.waybill.rabbitmq;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.SubscriptionContract;
import io.waybill.transport.Broker;
import org.junit.jupiter.api.AfterAll;

class RabbitMqSubscriptionTest extends SubscriptionContract {

    private static final RabbitFixture BROKER = RabbitFixture.chosen();

    @AfterAll
    static void close() {
        BROKER.close();
    }

    @Override
    protected BrokerFixture<? extends Broker> fixture() {
        return BROKER;
    }
}
