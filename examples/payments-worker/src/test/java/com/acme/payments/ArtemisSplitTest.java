package com.acme.payments;

import io.waybill.testkit.services.broker.Artemis;

final class ArtemisSplitTest extends SplitContract {

    @Override
    String brokerUrl() {
        return Artemis.shared().url().replace("tcp:", "jms+artemis:");
    }

    @Override
    void createQueue(String name) {
        Artemis.shared().createQueue(name);
    }
}
