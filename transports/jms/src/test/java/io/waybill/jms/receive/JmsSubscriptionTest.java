package io.waybill.jms.receive;

import io.waybill.jms.ArtemisFixture;
import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.testkit.contract.transport.RemoteSubscriptionContract;
import io.waybill.transport.Broker;

class JmsSubscriptionTest extends RemoteSubscriptionContract {

    private final ArtemisFixture fixture = new ArtemisFixture();

    @Override
    protected BrokerFixture<? extends Broker> fixture() {
        return fixture;
    }
}
