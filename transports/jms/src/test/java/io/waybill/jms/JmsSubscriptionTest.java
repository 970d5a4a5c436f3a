package io.waybill.jms;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.RemoteSubscriptionContract;
import io.waybill.transport.Broker;

class JmsSubscriptionTest extends RemoteSubscriptionContract {

    private final ArtemisFixture fixture = new ArtemisFixture();

    @Override
    protected BrokerFixture<? extends Broker> fixture() {
        return fixture;
    }
}
