package io.waybill.it;

import io.waybill.testkit.services.Rabbit;

class RabbitMqCommandsTest extends RemoteCommandsContract {

    @Override
    String url() {
        return Rabbit.shared().url();
    }

    @Override
    void createQueue(String name) {
        Rabbit.shared().createQueue(name);
    }
}
