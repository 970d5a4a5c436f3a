package io.waybill.testkit.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class AllServicesTest {

    @Test
    void all_start_side_by_side_and_each_only_once_however_many_ask() throws Exception {
        List<Callable<Object>> services =
                List.of(Postgres::shared, MariaDb::shared, Kafka::shared, Artemis::shared, Rabbit::shared);
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
