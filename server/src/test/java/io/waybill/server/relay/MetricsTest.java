package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.ListenAddress;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus reads of a relay service. */
class MetricsTest {

    static final String RUNNING_PROCESS =
            "INSERT INTO process_instance (process_id, process_type, business_key, status, current_step, data, retries,"
                    + " created_at, updated_at, definition_version, event_count, reason, start_data) VALUES"
                    + " (gen_random_uuid(), 'Payment', 'p-1', 'RUNNING', 'Book', '{}', 0, now(), now(), 1, 1, '', '{}')";

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private TestDatabase database;
    private String url;

    @SuppressWarnings("NullAway.Init")
    MetricsTest() {}

    @BeforeEach
    void open() {
        database = Postgres.shared().newDatabase();
        url = RelayServiceContract.url(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_scrape_shows_what_every_source_has_sent_and_what_waits() throws Exception {
        Cli.run("schema", "apply", "--db", url);
        execute("INSERT INTO outbox (destination, payload) VALUES ('orders', '1'), ('orders', '2'), ('nowhere', '3')");
        execute(RUNNING_PROCESS);
        try (var service = RelayService.start(config("{name: shop, db: \"" + url + "\"}", "orders"));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            Eventually.is(() -> assertThat(lines(health))
                    .contains(
                            "waybill_source_up{source=\"shop\"} 1.0",
                            "waybill_relay_shards{source=\"shop\"} 64.0",
                            "waybill_relay_published_total{destination=\"orders\",source=\"shop\"} 2.0",
                            "waybill_relay_failed_total{destination=\"orders\",source=\"shop\"} 0.0",
                            "waybill_relay_duplicates_total{source=\"shop\"} 0.0",
                            "waybill_relay_circuits_open{source=\"shop\"} 0.0",
                            "waybill_relay_destinations_paused{source=\"shop\"} 0.0",
                            "waybill_outbox_keys_held{source=\"shop\"} 0.0",
                            "waybill_outbox_backlog{source=\"shop\"} 1.0",
                            "waybill_outbox_pending{source=\"shop\"} 1.0",
                            "waybill_outbox_failed{source=\"shop\"} 0.0",
                            "waybill_outbox_destination_backlog{destination=\"nowhere\",source=\"shop\"} 1.0",
                            "waybill_process_active{source=\"shop\",status=\"running\",type=\"Payment\"} 1.0",
                            "waybill_process_active{source=\"shop\",status=\"blocked\",type=\"Payment\"} 0.0",
                            "waybill_configuration_refused 0.0",
                            "hikaricp_connections_max{source=\"shop\"} 4.0"));
            assertThat(lines(health))
                    .anyMatch(line -> line.startsWith("waybill_outbox_oldest_age_seconds{source=\"shop\"} "))
                    .anyMatch(
                            line -> line.startsWith(
                                    "waybill_relay_publish_seconds_bucket{destination=\"orders\",source=\"shop\",le=\"0.005\"} "))
                    .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"));
            HttpResponse<String> answer = get(health);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("content-type")).hasValue(ServiceMeters.CONTENT_TYPE);

            service.refuse("it is not YAML");
            Eventually.is(() -> assertThat(lines(health)).contains("waybill_configuration_refused 1.0"));
        }
    }

    @Test
    void a_user_with_the_least_rights_of_a_relay_counts_the_messages() throws Exception {
        Cli.run("schema", "apply", "--db", url);
        execute("INSERT INTO outbox (destination, payload) VALUES ('nowhere', '1')");
        execute(RUNNING_PROCESS);
        String relay = "relay_" + Long.toHexString(System.nanoTime());
        execute("CREATE ROLE " + relay + " LOGIN");
        try {
            for (String grant : Cli.run("schema", "grants", "--role", "relay", "--user", relay, "--db", url)
                    .out()
                    .lines()
                    .filter(line -> line.startsWith("GRANT"))
                    .toList()) {
                execute(grant);
            }
            String limited = url.replaceFirst("//[^@]*@", "//" + relay + "@");
            try (var service = RelayService.start(config("{name: shop, db: \"" + limited + "\"}", "orders"));
                    var health = HealthServer.start(ListenAddress.parse("0"), service)) {
                Eventually.is(() -> assertThat(lines(health)).contains("waybill_outbox_backlog{source=\"shop\"} 1.0"));
                assertThat(lines(health)).noneMatch(line -> line.startsWith("waybill_process_active{"));
            }
        } finally {
            execute("DROP OWNED BY " + relay);
            execute("DROP ROLE " + relay);
        }
    }

    @Test
    void what_failed_in_tables_of_others_is_counted() throws Exception {
        Cli.run("schema", "apply", "--db", url, "--layout", "kafka-outbox");
        Cli.run("schema", "apply", "--db", url, "--layout", "outbox-messages");
        Cli.run("schema", "apply", "--db", url, "--layout", "messenger");
        execute("INSERT INTO kafka_outbox (topic, payload_json, errored, error_reason, push_attempts)"
                + " VALUES ('orders', '{}', 1, 'no', 5), ('orders', '{}', 1, 'no', 5)");
        execute("INSERT INTO outbox_messages (id, event_type, payload, status) VALUES ('1', 'mails', '{}', 'failed')");
        execute("INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at)"
                + " VALUES ('1', '[]', 'failed', '2020-01-01 00:00:00', '2020-01-01 00:00:00')");
        String sources = "{name: kafka, db: \"" + url + "\", layout: kafka-outbox},"
                + "{name: table, db: \"" + url + "\", layout: outbox-messages},"
                + "{name: php, db: \"" + url + "\", layout: messenger}";
        try (var service = RelayService.start(config(sources, "**"));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            Eventually.is(() -> assertThat(lines(health))
                    .contains(
                            "waybill_outbox_failed{source=\"kafka\"} 2.0",
                            "waybill_outbox_failed{source=\"table\"} 1.0",
                            "waybill_outbox_failed{source=\"php\"} 1.0",
                            "waybill_outbox_destination_failed{destination=\"orders\",source=\"kafka\"} 2.0"));
        }
    }

    @Test
    void a_database_that_is_away_and_a_broker_that_is_away_are_seen_and_a_removed_source_is_not() throws Exception {
        Cli.run("schema", "apply", "--db", url);
        execute("INSERT INTO outbox (destination, partition_key, payload) VALUES ('orders', 'a', '1')");
        String shop = "{name: shop, db: \"" + url + "\"}";
        String gone = "{name: gone, db: \"postgresql://nobody@127.0.0.1:1/x\"}";
        try (var service = RelayService.start(RelayConfigFile.parse(
                        "test.yaml",
                        "sources: [" + shop + ", " + gone + "]\nroutes: [{to: \"amqp://guest:guest@127.0.0.1:1\"}]\n",
                        name -> null));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            Eventually.is(() -> assertThat(lines(health))
                    .contains(
                            "waybill_source_up{source=\"gone\"} 0.0",
                            "waybill_source_up{source=\"shop\"} 1.0",
                            "waybill_relay_circuits_open{source=\"shop\"} 1.0"));

            service.serve(config(shop, "**"));

            Eventually.is(() -> assertThat(lines(health))
                    .contains("waybill_relay_published_total{destination=\"orders\",source=\"shop\"} 1.0")
                    .noneMatch(line -> line.contains("source=\"gone\"")));
        }
    }

    private RelayConfig config(String sources, String match) {
        return RelayConfigFile.parse(
                "test.yaml",
                "sources: [" + sources + "]\nroutes: [{match: \"" + match + "\", to: \"file:" + directory.resolve("out")
                        + "\"}]\n",
                name -> null);
    }

    private void execute(String sql) throws SQLException {
        database.execute(sql);
    }

    private List<String> lines(HealthServer health) throws Exception {
        return get(health).body().lines().toList();
    }

    private HttpResponse<String> get(HealthServer health) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + health.port() + "/metrics");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
