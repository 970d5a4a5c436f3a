package io.waybill.it;

import io.waybill.testkit.services.Kafka;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import java.util.Map;

class KafkaCommandsTest extends RemoteCommandsContract {

    @Override
    String url() {
        return "kafka://" + Kafka.shared().bootstrapServers();
    }

    @Override
    void createQueue(String name) {
        Kafka.shared().createTopic(name, 2, Map.of());
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
