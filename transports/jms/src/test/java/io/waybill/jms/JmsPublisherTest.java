package io.waybill.jms;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.PublisherContract;

class JmsPublisherTest extends PublisherContract {

    @Override
    protected BrokerFixture<?> fixture() {
        return new ArtemisFixture();
    }
}
