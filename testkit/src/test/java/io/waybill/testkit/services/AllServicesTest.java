package io.waybill.testkit.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.services.broker.Artemis;
import io.waybill.testkit.services.broker.KafkaNode;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class AllServicesTest {

    @Test
    void all_start_side_by_side_and_each_only_once_however_many_ask() throws Exception {
        List<Callable<Object>> services =
                List.of(Postgres::shared, MariaDb::shared, KafkaNode::shared, Artemis::shared, Rabbit::shared);
        var askers = Executors.newFixedThreadPool(2 * services.size());
        try {
            var first = services.stream().map(askers::submit).toList();
            var second = services.stream().map(askers::submit).toList();

            for (int i = 0; i < services.size(); i++) {
                assertThat(first.get(i).get()).isSameAs(second.get(i).get());
            }
        } finally {
            askers.shutdownNow();
        }
    }
}
