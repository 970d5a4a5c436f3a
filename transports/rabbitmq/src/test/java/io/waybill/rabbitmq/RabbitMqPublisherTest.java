package io.waybill.rabbitmq;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.PublisherContract;
import org.junit.jupiter.api.AfterAll;

class RabbitMqPublisherTest extends PublisherContract {

    private static final RabbitFixture BROKER = RabbitFixture.chosen();

    @AfterAll
    static void close() {
        BROKER.close();
    }

    @Override
    protected BrokerFixture<?> fixture() {
        return BROKER;
    }
}
