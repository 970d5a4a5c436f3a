package io.waybill.it.command;

import io.waybill.testkit.services.broker.Artemis;

class ArtemisCommandsTest extends RemoteCommandsContract {

    @Override
    String url() {
        return Artemis.shared().url().replaceFirst("^tcp:", "jms+artemis:");
    }

    @Override
    void createQueue(String name) {
        Artemis.shared().createQueue(name);
    }
}
