package io.waybill.jms.publish;

import io.waybill.jms.ArtemisFixture;


import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.RemotePublisherContract;

class JmsPublisherTest extends RemotePublisherContract {

    private final ArtemisFixture fixture = new ArtemisFixture();

    @Override
    protected BrokerFixture<?> fixture() {
        return fixture;
    }
}
