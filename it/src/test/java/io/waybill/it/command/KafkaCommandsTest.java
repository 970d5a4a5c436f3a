package io.waybill.it.command;

import io.waybill.testkit.services.broker.KafkaNode;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.util.Map;

class KafkaCommandsTest extends RemoteCommandsContract {

    @Override
    String url() {
        return "kafka://" + KafkaNode.shared().bootstrapServers();
    }

    @Override
    void createQueue(String name) {
        KafkaNode.shared().createTopic(name, 2, Map.of());
    }

    @Override
    int consumers() {
        return 2;
    }

    @Override
    TestDatabase newWorkersDatabase() {
        return Postgres.shared().newDatabase();
    }
}
