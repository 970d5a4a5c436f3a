package io.waybill.jms.publish;

import io.waybill.jms.ArtemisFixture;
import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemotePublisherContract;

class JmsPublisherTest extends RemotePublisherContract {

    private final ArtemisFixture fixture = new ArtemisFixture();

    @Override
    protected BrokerFixture<?> fixture() {
        return fixture;
    }
}
