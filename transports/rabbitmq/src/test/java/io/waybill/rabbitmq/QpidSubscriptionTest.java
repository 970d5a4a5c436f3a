package io.waybill.rabbitmq;

import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemoteSubscriptionContract;
import io.waybill.transport.Broker;
import org.junit.jupiter.api.AfterAll;

class QpidSubscriptionTest extends RemoteSubscriptionContract {

    private static final RabbitFixture BROKER = RabbitFixture.qpid();

    @AfterAll
    static void close() {
        BROKER.close();
    }

    @Override
    protected BrokerFixture<? extends Broker> fixture() {
        return BROKER;
    }
}
