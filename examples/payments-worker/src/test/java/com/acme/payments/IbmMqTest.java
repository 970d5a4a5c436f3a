package com.acme.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The worker with IBM's client, as far as the socket: no queue manager can be started here. It is configured as the compose file does it, with
 * the variables of the developer's guide.
 */
final class IbmMqTest {

    @Test
    void a_queue_manager_that_is_away_delays_payments_and_loses_none() throws Exception {
        try (TestDatabase database = Postgres.shared().newDatabase();
                PaymentsProcess worker = PaymentsProcess.start(settings(database), Map.of())) {
            worker.awaitReady();

            UUID payment = UUID.randomUUID();
            assertThat(worker.post(
                                    "/payments",
                                    "{\"paymentId\": \"" + payment + "\", \"accountId\": \"" + UUID.randomUUID()
                                            + "\", \"beneficiary\": {\"name\": \"Bob\"}, \"amount\": 1.00,"
                                            + " \"currency\": \"EUR\"}")
                            .statusCode())
                    .isEqualTo(202);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(worker.tail()).contains("WB-602", "WB-102"));
            assertThat(new LedgerCheck(database.dataSource()).rows("SELECT destination, status FROM outbox"))
                    .containsExactly("APP.CMD.BOOKLIMITS.Q PENDING");
            assertThat(worker.get("/payments/" + payment).body()).contains("RUNNING");
        }
    }

    private static Map<String, String> settings(TestDatabase database) throws Exception {
        URI url = URI.create(database.jdbcUrl().replace("jdbc:", ""));
        try (var closedSoon = new ServerSocket(0)) {
            return Map.of(
                    "MICRONAUT_ENVIRONMENTS", "ibmmq",
                    "POSTGRES_HOST", url.getHost(),
                    "POSTGRES_PORT", String.valueOf(url.getPort()),
                    "POSTGRES_DB", url.getPath().substring(1),
                    "POSTGRES_USER", database.user(),
                    "POSTGRES_PASSWORD", database.password(),
                    "MQ_HOST", "127.0.0.1",
                    "MQ_PORT", String.valueOf(closedSoon.getLocalPort()),
                    "JMS_CONCURRENCY", "2",
                    "PAYMENTS_API_TOKEN", PaymentsProcess.TOKEN);
        }
    }
}
