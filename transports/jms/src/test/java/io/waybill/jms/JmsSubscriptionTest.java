package io.waybill.jms;

import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.SubscriptionContract;
import io.waybill.transport.Broker;

class JmsSubscriptionTest extends SubscriptionContract {

    @Override
    protected BrokerFixture<? extends Broker> fixture() {
        return new ArtemisFixture();
    }
}
