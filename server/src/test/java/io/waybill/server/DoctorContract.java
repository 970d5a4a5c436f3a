package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.JdbcStore;
import io.waybill.server.relay.RelayServiceContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong is found, and what to do is said. */
abstract class DoctorContract {

    TestDatabase database;
    String url;

    @SuppressWarnings("NullAway.Init")
    DoctorContract() {}

    abstract TestDatabase open();

    @BeforeEach
    void openDatabase() {
        database = open();
        url = RelayServiceContract.url(database);
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Test
    void a_database_with_a_relay_is_healthy() {
        Cli.run("schema", "apply", "--db", url);
        JdbcStore.on(database.dataSource()).leaseStore().renew("relay-1", ">**", List.of(), Duration.ofMinutes(1));

        var healthy = Cli.run("doctor", "--db", url, "--to", "stdout:");

        assertThat(healthy.exitCode()).as(healthy.out()).isZero();
        assertThat(healthy.out())
                .contains("1 relay is alive", "can be opened", "Healthy.")
                .doesNotContain("warn");
    }

    @Test
    void a_relay_that_does_not_renew_its_leases_does_not_count_as_one_that_lives() {
        Cli.run("schema", "apply", "--db", url);
        JdbcStore.on(database.dataSource()).leaseStore().renew("relay-1", ">**", List.of(), Duration.ofSeconds(3));

        assertThat(Cli.run("doctor", "--db", url).out()).contains("1 relay is alive");
        Eventually.is(() -> assertThat(Cli.run("doctor", "--db", url).out())
                .contains("relay-1 has not renewed its leases since ", "s ago)", "No relay is alive", "to look at")
                .doesNotContain("1 relay is alive"));
    }

    @Test
    void messages_that_wait_too_long_and_a_relay_that_is_missing_are_unhealthy() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        database.execute("INSERT INTO outbox (destination, payload, created_at) SELECT 'orders', '1', created_at"
                + " - INTERVAL '10' MINUTE FROM (SELECT min(expires_at) AS created_at FROM relay_lease) x");
        database.execute("INSERT INTO outbox (destination, payload, status) VALUES ('orders', '1', 'FAILED')");

        var sick = Cli.run("doctor", "--db", url, "-o", "ndjson");

        assertThat(sick.exitCode()).isEqualTo(4);
        assertThat(sick.out().lines().filter(line -> line.contains("\"health\":\"bad\"")))
                .hasSize(2)
                .anyMatch(line -> line.contains("No relay is alive, and 1 messages wait"))
                .anyMatch(line -> line.contains("orders since 10m"));
        assertThat(sick.out()).contains("1 to orders");
        assertThat(Cli.run("doctor", "--db", url, "--max-lag", "0").exitCode()).isEqualTo(2);
    }

    @Test
    void a_destination_that_nobody_serves_is_named() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        JdbcStore.on(database.dataSource())
                .leaseStore()
                .renew("relay-1", ">orders.*", List.of(), Duration.ofMinutes(1));
        database.execute("INSERT INTO outbox (destination, payload) VALUES ('orders.placed', '1')");
        database.execute("INSERT INTO outbox (destination, payload) VALUES ('order.placed', '1')");

        var sick = Cli.run("doctor", "--db", url, "-o", "ndjson");

        assertThat(sick.exitCode()).isEqualTo(4);
        assertThat(sick.out().lines().filter(line -> line.contains("\"check\":\"unrouted\"")))
                .singleElement()
                .asString()
                .contains("bad", "1 message waits for 'order.placed'", "Did you mean 'orders.placed'?");
    }

    @Test
    void a_process_that_waits_for_nothing_is_named() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        database.execute(
                "INSERT INTO process_instance (process_id, process_type, business_key, status, current_step, data, retries,"
                        + " created_at, updated_at, definition_version, event_count, reason, start_data) SELECT"
                        + " '018f0000-0000-7000-8000-000000000000', 'Voyage', 'Flora', 'RUNNING', 'Load', '{}', 0, t, t, 1, 1,"
                        + " '', '{}' FROM (SELECT min(expires_at) AS t FROM relay_lease) x");

        var sick = Cli.run("doctor", "--db", url, "-o", "ndjson");

        assertThat(sick.exitCode()).isEqualTo(4);
        assertThat(sick.out().lines().filter(line -> line.contains("\"check\":\"processes\"")))
                .singleElement()
                .asString()
                .contains(
                        "bad",
                        "1 wait for something that does not exist",
                        "Voyage Flora",
                        "at Load",
                        "no step is open");
    }

    @Test
    void messages_of_an_adopted_table_that_wait_too_long_are_unhealthy() throws SQLException {
        for (String layout : List.of("kafka-outbox", "messenger", "outbox-messages", "debezium")) {
            Cli.run("schema", "apply", "--db", url, "--layout", layout);
        }
        String written = " FROM (SELECT min(expires_at) - INTERVAL '10' MINUTE AS t FROM kafka_outbox_relay_lease) x";
        database.execute(
                "INSERT INTO kafka_outbox (topic, payload_json, created_at) SELECT 'orders', '1', t" + written);
        database.execute("INSERT INTO outbox_messages (id, event_type, payload, created_at, available_at)"
                + " SELECT 'a', 'Delayed', '1', t, t + INTERVAL '2' DAY" + written);
        database.execute("INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at)"
                + " VALUES ('{}', '[]', 'outbox', '2020-01-01 00:00:00', '2020-01-01 00:00:00')");
        database.execute("INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload) VALUES"
                + " ('018f0000-0000-7000-8000-000000000000', 'orders', '1', 'Placed', '{}')");

        assertThat(lagOf("kafka-outbox")).contains("bad", "orders since 10m");
        assertThat(lagOf("messenger")).contains("bad", "outbox since");
        assertThat(lagOf("outbox-messages")).contains("ok", "nothing waits");
        assertThat(lagOf("debezium")).contains("warn", "no column tells since when");
        assertThat(Cli.run("outbox", "stats", "--db", url, "--layout", "kafka-outbox")
                        .out())
                .contains("10m");
    }

    private String lagOf(String layout) {
        return Cli.run("doctor", "--db", url, "--layout", layout, "-o", "ndjson")
                .out()
                .lines()
                .filter(line -> line.contains("\"check\":\"lag\""))
                .findFirst()
                .orElse("");
    }

    @Test
    void missing_tables_and_columns_are_named_for_every_layout() throws SQLException {
        var own = Cli.run("doctor", "--db", url);
        Cli.run("schema", "apply", "--db", url, "--layout", "kafka-outbox");
        database.execute("ALTER TABLE kafka_outbox DROP COLUMN push_attempts");
        var adopted = Cli.run("doctor", "--db", url, "--layout", "kafka-outbox");

        assertThat(own.exitCode()).isEqualTo(4);
        assertThat(own.out()).contains("table outbox is missing", "-> waybill schema apply");
        assertThat(adopted.exitCode()).isEqualTo(4);
        assertThat(adopted.out()).contains("has no column push_attempts", "schema apply --layout kafka-outbox");
    }

    @Test
    void a_user_who_may_not_write_is_noticed() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        var users = new DatabaseUsers(database);
        String reader = users.newReader();

        var sick = Cli.run("doctor", "--db", users.url(reader));

        assertThat(sick.exitCode()).isEqualTo(4);
        assertThat(sick.out()).contains("lacks rights of the role relay", "GRANT INSERT, UPDATE, DELETE ON outbox TO");
        users.drop(reader);
    }

    @Test
    void an_old_transaction_is_named() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO outbox (destination, payload) VALUES ('orders', '1')");

            Eventually.is(() -> assertThat(Cli.run("doctor", "--db", url, "--max-transaction", "1")
                            .out())
                    .containsPattern("(warn|bad) +transactions A transaction of "));
            connection.rollback();
        }
    }

    @Test
    void everything_in_a_file_is_visited_and_one_that_is_away_hides_no_other(@TempDir Path directory) throws Exception {
        Cli.run("schema", "apply", "--db", url);
        Path config = Files.writeString(
                directory.resolve("relay.yaml"), Cli.filled("""
                sources:
                  - {name: away, db: "%s"}
                  - {name: here, db: "%s"}
                routes:
                  - {match: "a.*", to: "kafka://127.0.0.1:1"}
                  - {to: "stdout:"}
                """, url.replaceFirst(":[0-9]+/", ":1/"), url));

        var sick = Cli.run("doctor", "--config", config.toString());

        assertThat(sick.exitCode()).isEqualTo(4);
        assertThat(sick.out())
                .contains(
                        "Could not connect to", "as it should be", "It does not respond: 127.0.0.1:1", "can be opened");
    }

    @Test
    void the_speed_is_measured_on_tables_that_are_gone_afterwards() throws SQLException {
        var before = tables();
        var dry = Cli.run("bench", "--db", url, "--messages", "200", "--dry-run");
        var measured = Cli.run("bench", "--db", url, "--messages", "200", "--reason", "a new disk", "-o", "ndjson");

        assertThat(dry.err()).contains("writes 200 messages of 500 bytes").contains("waybill_bench_");
        assertThat(dry.out()).isEmpty();
        assertThat(measured.exitCode()).as(measured.err()).isZero();
        assertThat(measured.out().lines())
                .hasSize(6)
                .allMatch(line -> Double.parseDouble(line.replaceFirst(".*\"value\":([0-9.E]+),.*", "$1")) > 0);
        assertThat(tables()).isEqualTo(before);
        assertThat(Cli.run("bench", "--db", url, "--messages", "7").exitCode()).isEqualTo(2);
    }

    private int tables() throws SQLException {
        int count = 0;
        try (var connection = database.dataSource().getConnection();
                var rows = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE"})) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
