package io.waybill.testkit.contract.framework;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Settings have one meaning in every framework, and their values stay where they were written. Every integration passes it. */
public abstract class FrameworkSettingsContract {

    private static final Duration SOON = Duration.ofSeconds(20);

    /** In pieces, because a URL that is cut at one of these characters may show a part. */
    private static final String CANARY = "Kanari/Vogel@Gelb9";

    private static final List<String> PIECES = List.of("Kanari", "Vogel", "Gelb9");

    /** Of a URL whose host was forgotten, so that it stands where a port belongs. */
    private static final String HOSTLESS = "KanariVogel";

    /** Of brokers that are away. */
    private static final List<String> AWAY =
            List.of("kafka://user:%s@127.0.0.1:1", "jms+artemis://user:%s@127.0.0.1:1");

    private static final List<String> REFUSED = List.of(
            "kafka://127.0.0.1:1?kafka.sasl.jaas.config=x required password=\"%s\";&nothing=%s",
            "kafka://127.0.0.1:1?tls=%s",
            "kafka://user:%h",
            "jms+artemis://127.0.0.1:1?pasword=%s",
            "jms+artemis://user:%h/path",
            "amqp://user:%s@127.0.0.1:1",
            "webhook+http://user:%s@127.0.0.1:1/hook?secret=%s",
            "stdout:?password=%s",
            "%s");

    private final TestDatabase database = H2.newDatabase();

    /** An application that runs. */
    public interface Application extends AutoCloseable {
        Outbox outbox();

        void inTransaction(Runnable work);

        /** The details of the readiness probe. */
        Map<String, Object> readiness();

        @Override
        void close();
    }

    /** Starts an application on this database with these settings of Waybill. */
    protected abstract Application start(TestDatabase database, Map<String, String> settings);

    /** Starts such an application, stops it if it runs, and returns everything that it has logged or thrown. */
    protected abstract String outputOf(TestDatabase database, Map<String, String> settings);

    /** Every key that the integration reads, as it is written in a file. */
    protected abstract List<String> keys();

    /** Those of the route with this number. */
    protected abstract Map<String, String> route(int number, String pattern, String url);

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Test
    void a_payload_above_max_payload_fails_with_the_reason() {
        var settings = new LinkedHashMap<>(route(0, "orders.*", "stdout:"));
        settings.put("waybill.outbox.max-payload", "1KB");
        try (Application application = start(database, settings)) {
            application.inTransaction(() -> application
                    .outbox()
                    .append(Message.event("Placed", "x".repeat(1025).getBytes(UTF_8))
                            .as("text/plain")
                            .to("orders.placed")));

            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(outbox()).contains("FAILED").contains("1025 bytes, and max-payload is 1024"));
        }
    }

    @Test
    void what_waits_for_longer_than_warn_after_is_a_detail_of_readiness() {
        try (Application application = start(database, Map.of("waybill.warn-after", "500ms"))) {
            assertThat(application.readiness()).containsEntry("waits", List.of());
            application.inTransaction(() -> application
                    .outbox()
                    .append(Message.event("Placed", "1").as("text/plain").to("orders.nobody")));

            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(application.readiness().get("waits"))
                            .asString()
                            .contains("destination orders.nobody"));
        }
    }

    @Test
    void sizes_and_times_that_cannot_be_meant_are_refused_together() {
        assertThat(outputOf(
                        database,
                        Map.of(
                                "waybill.outbox.max-payload", "0",
                                "waybill.warn-after", "0s")))
                .contains("waybill.outbox.max-payload")
                .contains("waybill.warn-after");
        assertThat(outputOf(database, Map.of("waybill.outbox.max-payload", "much")))
                .contains("waybill.outbox.max-payload")
                .contains("500KB, 16MB or 1GB");
    }

    @Test
    void a_secret_in_any_key_is_neither_logged_nor_thrown() {
        var shown = new SoftAssertions();
        var all = new LinkedHashMap<String, String>();
        var misspelt = new LinkedHashMap<String, String>();
        for (String key : keys()) {
            all.put(key, CANARY);
            misspelt.put(key + "x", CANARY);
            isNowhere(shown, key, outputOf(database, Map.of(key, CANARY)));
        }
        isNowhere(shown, "all keys", outputOf(database, all));
        isNowhere(shown, "all keys with a slip", outputOf(database, misspelt));
        shown.assertAll();
    }

    @Test
    void a_secret_in_any_url_is_neither_logged_nor_thrown() {
        var shown = new SoftAssertions();
        var all = new LinkedHashMap<String, String>();
        IntStream.range(0, REFUSED.size()).forEach(i -> all.putAll(route(i, "orders." + i, secret(REFUSED.get(i)))));
        isNowhere(shown, "routes", outputOf(database, all));
        for (String url : AWAY) {
            isNowhere(shown, url, outputOf(database, route(0, "orders.*", secret(url))));
        }
        for (String url : REFUSED) {
            isNowhere(shown, "waybill.mq.url: " + url, outputOf(database, Map.of("waybill.mq.url", secret(url))));
        }
        shown.assertAll();
    }

    private static String secret(String url) {
        return url.replace("%s", CANARY).replace("%h", HOSTLESS);
    }

    private static void isNowhere(SoftAssertions shown, String where, String output) {
        PIECES.forEach(piece -> shown.assertThat(output.lines().filter(line -> line.contains(piece)))
                .as(where)
                .isEmpty());
    }

    private String outbox() throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT status, last_error FROM outbox")) {
            return rows.next() ? rows.getString(1) + " " + rows.getString(2) : "";
        }
    }
}
