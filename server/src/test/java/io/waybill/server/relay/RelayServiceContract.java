package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.ConfigWatch;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The relay service from the outside: rows by plain SQL, messages in a file. */
public abstract class RelayServiceContract {

    private final List<TestDatabase> opened = new ArrayList<>();
    TestDatabase database;
    String url;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    public RelayServiceContract() {}

    public abstract TestDatabase open();

    /** Locks a table against everybody. */
    public abstract String lock(String table);

    @BeforeEach
    void openDatabase() {
        database = newDatabase();
        url = url(database);
    }

    @AfterEach
    void closeDatabases() {
        opened.forEach(TestDatabase::close);
    }

    private TestDatabase newDatabase() {
        TestDatabase one = open();
        opened.add(one);
        return one;
    }

    public static String url(TestDatabase database) {
        return database.jdbcUrl().substring("jdbc:".length()).replaceFirst("//", "//" + database.user() + "@");
    }

    @Test
    void a_kafka_outbox_is_created_printed_and_drained() throws Exception {
        Path file = directory.resolve("out.ndjson");
        var applied = Cli.run("schema", "apply", "--db", url, "--layout", "kafka-outbox");
        execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '{\"n\":1}')");

        var dry = Cli.run("relay", "run", "--db", url, "--layout", "kafka-outbox", "--dry-run");
        var sent = Cli.run("relay", "run", "--db", url, "--layout", "kafka-outbox", "--to", "file:" + file, "--once");
        var again = Cli.run("relay", "run", "--db", url, "--layout", "kafka-outbox", "--to", "file:" + file, "--once");

        assertThat(applied.out()).contains("The tables of the layout kafka-outbox are up to date");
        assertThat(dry.exitCode()).isZero();
        assertThat(dry.out()).contains("\"destination\":\"orders\"", "\"payload\":{\"n\":1}");
        assertThat(dry.err()).contains("1 messages would be sent");
        assertThat(sent.exitCode()).isZero();
        assertThat(sent.out()).contains("1 messages sent, 0 failed, 0 pending");
        assertThat(again.out()).contains("0 messages sent");
        assertThat(Files.readAllLines(file)).hasSize(1);
    }

    @Test
    void the_dry_run_of_a_messenger_queue_claims_nothing() throws SQLException {
        Cli.run("schema", "apply", "--db", url, "--layout", "messenger-ordered");
        execute("INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at)"
                + " VALUES ('{}', '[]', 'outbox', '2020-01-01 00:00:00', '2020-01-01 00:00:00')");

        var dry = Cli.run(
                "relay",
                "run",
                "--db",
                url,
                "--layout",
                "ordered-doctrine://default?table_name=messenger_outbox&queue_name=outbox",
                "--dry-run");

        assertThat(dry.out()).contains("\"destination\":\"outbox\"");
        assertThat(rows("SELECT count(*) FROM messenger_outbox WHERE delivered_at IS NULL"))
                .containsExactly("1");
    }

    @Test
    void the_schema_of_a_layout_is_applied_checked_and_validated() throws SQLException {
        var missing = Cli.run("schema", "validate", "--db", url, "--layout", "outbox-messages");
        Cli.run("schema", "apply", "--db", url, "--layout", "outbox-messages");
        var twice = Cli.run("schema", "apply", "--db", url, "--layout", "outbox-messages");
        var valid = Cli.run("schema", "validate", "--db", url, "--layout", "outbox-messages");
        execute("ALTER TABLE outbox_messages DROP COLUMN attempts");
        var broken = Cli.run("schema", "validate", "--db", url, "--layout", "outbox-messages");
        var status = Cli.run("schema", "status", "--db", url, "--layout", "outbox-messages");
        var own = Cli.run("schema", "status", "--db", url);

        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("there is no table outbox_messages");
        assertThat(twice.exitCode()).isZero();
        assertThat(valid.out()).contains("The tables fit.");
        assertThat(broken.exitCode()).isEqualTo(1);
        assertThat(broken.err())
                .contains("has no column attempts", "ALTER TABLE outbox_messages ADD COLUMN attempts INT;");
        assertThat(status.exitCode()).isZero();
        assertThat(status.out()).contains("has no column attempts");
        assertThat(own.out()).contains("V001__outbox_and_inbox is missing.");
    }

    @Test
    void a_wrong_table_is_named_with_what_to_do() throws SQLException {
        Cli.run("schema", "apply", "--db", url, "--layout", "outbox-messages");

        var nowhere = once("--layout", "outbox-messages", "--table", "nowhere");
        var other = once("--layout", "kafka-outbox", "--table", "outbox_messages");
        var ownName = once("--table", "outbox_messages");

        assertThat(nowhere.exitCode()).isEqualTo(1);
        assertThat(nowhere.err()).contains("There is no table nowhere", "schema apply --layout outbox-messages");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("looks like a table of the layout outbox-messages");
        assertThat(ownName.exitCode()).isEqualTo(2);
    }

    @Test
    void a_source_that_fails_is_a_part_and_a_destination_that_is_away_is_unhealthy() throws Exception {
        Path file = directory.resolve("out.ndjson");
        Path config = directory.resolve("relay.yaml");
        String bad = url.replaceFirst(":[0-9]+/", ":1/");
        Files.writeString(config, Cli.filled("""
                sources:
                  - {name: good, db: "%s", layout: kafka-outbox}
                  - {name: bad, db: "%s", layout: kafka-outbox}
                routes:
                  - {to: "file:%s"}
                """, url, bad, file));
        var partly = Cli.run("relay", "run", "--config", config.toString(), "--once");
        execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '1')");
        var away = once("--layout", "kafka-outbox", "--to", "amqp://guest@127.0.0.1:1");

        assertThat(partly.exitCode()).isEqualTo(3);
        assertThat(partly.out()).contains("good: 0 messages sent");
        assertThat(partly.err()).contains("bad: Could not connect to");
        assertThat(away.exitCode()).isEqualTo(4);
        assertThat(away.out()).contains("orders takes no messages");
    }

    @Test
    void a_wrong_file_is_a_usage_error() throws IOException {
        Path config = Files.writeString(directory.resolve("relay.yaml"), "sources: 7\nroute: []\n");

        var wrong = Cli.run("relay", "run", "--config", config.toString());
        var both = Cli.run("relay", "run", "--config", config.toString(), "--to", "stdout:");

        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("sources: 7 must be a list", "route: *** is not known here");
        assertThat(both.exitCode()).isEqualTo(2);
    }

    @Test
    void one_database_that_is_down_and_one_with_a_locked_table_delay_no_other() throws Exception {
        List<TestDatabase> healthy = new ArrayList<>();
        var yaml = new StringBuilder("sources:\n");
        for (int i = 0; i < 18; i++) {
            TestDatabase one = newDatabase();
            Cli.run("schema", "apply", "--db", url(one), "--layout", "kafka-outbox");
            healthy.add(one);
            yaml.append(Cli.filled("  - {name: s%d, db: \"%s\", layout: kafka-outbox}\n", i, url(one)));
        }
        Cli.run("schema", "apply", "--db", url, "--layout", "kafka-outbox");
        yaml.append(Cli.filled("  - {name: locked, db: \"%s\", layout: kafka-outbox}\n", url));
        yaml.append(Cli.filled(
                "  - {name: down, db: \"%s\", layout: kafka-outbox}\n", url.replaceFirst(":[0-9]+/", ":1/")));
        Path file = directory.resolve("out.ndjson");
        yaml.append(Cli.filled("routes:\n  - {to: \"file:%s\"}\n", file));

        try (var connection = database.dataSource().getConnection();
                var service = RelayService.start(RelayConfigFile.parse("test.yaml", yaml.toString(), name -> null))) {
            Eventually.is(() -> assertThat(service.problems()).containsOnlyKeys("down"));
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute(lock("kafka_outbox"));
            }
            for (int round = 0; round < 3; round++) {
                int expected = (round + 1) * healthy.size();
                for (TestDatabase one : healthy) {
                    one.execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '1')");
                }
                Eventually.within(
                        java.time.Duration.ofSeconds(2),
                        () -> assertThat(Files.readAllLines(file)).hasSize(expected));
            }
            connection.rollback();
            try (var statement = connection.createStatement()) {
                statement.execute(unlock());
                statement.execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('late', '1')");
            }
            connection.commit();
            Eventually.is(() -> assertThat(Files.readString(file)).contains("\"late\""));
        }
    }

    @Test
    void connections_that_are_cut_in_the_middle_lose_nothing() throws Exception {
        Path file = directory.resolve("out.ndjson");
        String yaml = """
                sources: [{name: shop, db: "%s", layout: kafka-outbox, poll: 20ms, batch-size: 50}]
                routes: [{to: "file:%s"}]
                """;
        int rows = 1_000;
        try (var service =
                RelayService.start(RelayConfigFile.parse("test.yaml", Cli.filled(yaml, url, file), name -> null))) {
            Eventually.is(() -> assertThat(service.problems()).isEmpty());
            for (int i = 0; i < rows; i += 100) {
                for (int n = i; n < i + 100; n++) {
                    execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '" + n + "')");
                }
                // MariaDB answers with the statements that cut, PostgreSQL has done it.
                for (String cut : rows(cutOthers())) {
                    if (cut.startsWith("KILL")) {
                        executeIfThere(cut);
                    }
                }
            }
            Eventually.within(
                    java.time.Duration.ofSeconds(40),
                    () -> assertThat(Files.readAllLines(file).stream()
                                    .map(line -> line.replaceFirst(".*\"payload\":", "")))
                            .hasSizeGreaterThanOrEqualTo(rows)
                            .satisfies(lines -> assertThat(new HashSet<>(lines)).hasSize(rows)));
        }
    }

    /** A connection may be gone by itself. */
    private void executeIfThere(String kill) {
        try {
            execute(kill);
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(1094);
        }
    }

    /** A query that cuts all connections but its own, or answers with the statements that do. */
    public abstract String cutOthers();

    public abstract String unlock();

    @Test
    void routes_are_changed_while_it_runs_and_a_mistake_changes_nothing() throws Exception {
        Path config = directory.resolve("relay.yaml");
        Path first = directory.resolve("first.ndjson");
        Path second = directory.resolve("second.ndjson");
        String yaml = """
                sources: [{name: shop, db: "%s", layout: kafka-outbox, poll: 20ms}]
                routes: [{to: "file:%s"}]
                """;
        Files.writeString(config, Cli.filled(yaml, url, first));
        try (var service = RelayService.start(RelayConfigFile.read(config));
                var watch = ConfigWatch.start(config, service::serve, service::refuse)) {
            Eventually.is(() -> assertThat(service.problems()).isEmpty());
            execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '1')");
            Eventually.is(() -> assertThat(Files.readAllLines(first)).hasSize(1));

            Files.writeString(config, "nonsense: true");
            execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '2')");
            Eventually.is(() -> assertThat(Files.readAllLines(first)).hasSize(2));

            Files.writeString(config, Cli.filled(yaml, url, second));
            Eventually.is(() -> assertThat(Files.exists(second)).isTrue());
            execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '3')");
            Eventually.is(() -> assertThat(Files.readAllLines(second)).hasSize(1));
            assertThat(watch).isNotNull();
        }
        assertThat(rows("SELECT count(*) FROM kafka_outbox WHERE push_completed_at IS NULL"))
                .containsExactly("0");
    }

    @Test
    void relays_of_two_pools_serve_different_destinations_of_one_table() throws Exception {
        Path orders = directory.resolve("orders.ndjson");
        Path notes = directory.resolve("notes.ndjson");
        for (String layout : List.of("native", "kafka-outbox")) {
            Cli.run("schema", "apply", "--db", url, "--layout", layout);
        }
        String yaml = """
                sources:
                  - {name: own, db: "%1$s", pool: "%2$s", poll: 20ms}
                  - {name: adopted, db: "%1$s", layout: kafka-outbox, pool: "%2$s", poll: 20ms}
                routes: [{match: "%2$s", to: "file:%3$s"}]
                """;
        try (var first = RelayService.start(
                        RelayConfigFile.parse("first", Cli.filled(yaml, url, "orders", orders), name -> null));
                var second = RelayService.start(
                        RelayConfigFile.parse("second", Cli.filled(yaml, url, "notes", notes), name -> null))) {
            Eventually.is(() -> {
                assertThat(first.problems()).isEmpty();
                assertThat(second.problems()).isEmpty();
            });
            for (int i = 0; i < 10; i++) {
                execute(Cli.filled(
                        "INSERT INTO outbox (destination, partition_key) VALUES ('orders', 'a%1$d'), ('notes', 'a%1$d')",
                        i));
            }
            execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '1'), ('notes', '1')");
            Eventually.is(() -> {
                assertThat(Files.readAllLines(orders)).hasSize(11).allMatch(line -> line.contains("\"orders\""));
                assertThat(Files.readAllLines(notes)).hasSize(11).allMatch(line -> line.contains("\"notes\""));
            });
            assertThat(Cli.run("relay", "list", "--db", url, "--layout", "kafka-outbox")
                            .out())
                    .contains("orders", "notes");
        }
    }

    @Test
    void a_writer_in_another_language_fills_every_layout() throws Exception {
        PythonWriter writer = PythonWriter.find(database);
        for (String layout :
                List.of("native", "kafka-outbox", "messenger", "messenger-ordered", "outbox-messages", "debezium")) {
            String table = layout.startsWith("messenger") ? "mail_" + layout.replace('-', '_') : "";
            List<String> choice = table.isEmpty()
                    ? List.of("--db", url, "--layout", layout)
                    : List.of("--db", url, "--layout", layout, "--table", table);
            run("schema", "apply", choice);
            writer.write(layout, table, 20);
            Path file = directory.resolve(layout + ".ndjson");

            var all = new ArrayList<>(choice);
            all.addAll(List.of("--to", "file:" + file, "--once"));
            var sent = run("relay", "run", all);

            assertThat(sent.exitCode()).as(layout + sent.err()).isZero();
            assertThat(sent.out()).as(layout).contains("20 messages sent, 0 failed, 0 pending");
            List<String> payloads = Files.readAllLines(file).stream()
                    .map(line -> line.replaceFirst(".*\"payload\":\\{\"n\": ?([0-9]+)}.*", "$1"))
                    .toList();
            assertThat(payloads).as(layout).hasSize(20).doesNotHaveDuplicates();
            if (!layout.equals("outbox-messages") && !layout.equals("native")) {
                assertThat(payloads).as(layout).first().isEqualTo("0");
                assertThat(payloads).as(layout).last().isEqualTo("19");
            }
        }
    }

    private Cli run(String group, String command, List<String> options) {
        var arguments = new ArrayList<>(List.of(group, command));
        arguments.addAll(options);
        return Cli.run(arguments.toArray(String[]::new));
    }

    private Cli once(String... options) {
        var arguments = new ArrayList<>(List.of("relay", "run", "--db", url, "--once"));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--to")) {
            arguments.addAll(List.of(
                    "--to", "file:" + directory.resolve(UUID.randomUUID().toString())));
        }
        return Cli.run(arguments.toArray(String[]::new));
    }

    void execute(String sql) throws SQLException {
        database.execute(sql);
    }

    List<String> rows(String query) throws SQLException {
        return database.rows(query);
    }
}
