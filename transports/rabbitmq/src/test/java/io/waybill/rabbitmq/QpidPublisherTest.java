package io.waybill.rabbitmq;

import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemotePublisherContract;
import org.junit.jupiter.api.AfterAll;

class QpidPublisherTest extends RemotePublisherContract {

    private static final RabbitFixture BROKER = RabbitFixture.qpid();

    @AfterAll
    static void close() {
        BROKER.close();
    }

    @Override
    protected BrokerFixture<?> fixture() {
        return BROKER;
    }
}
