package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.services.MariaDb;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelayServiceTest {

    @Nested
    class OnPostgres extends RelayServiceContract {
        @Override
        TestDatabase open() {
            return Postgres.shared().newDatabase();
        }

        @Override
        String lock(String table) {
            return "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE";
        }

        @Override
        String unlock() {
            return "SELECT 1";
        }

        @Override
        String cutOthers() {
            return "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()";
        }

        @Override
        int healthySources() {
            return 18;
        }

        @Test
        void a_user_who_may_only_read_is_refused_before_anything_is_sent() throws Exception {
            Cli.run("schema", "apply", "--db", url, "--layout", "kafka-outbox");
            execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '1')");
            String reader = role("reader");
            execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + reader);
            Path file = directory.resolve("out.ndjson");

            var refused = Cli.run(
                    "relay",
                    "run",
                    "--db",
                    urlOf(reader),
                    "--layout",
                    "kafka-outbox",
                    "--to",
                    "file:" + file,
                    "--once");

            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err()).contains("may not UPDATE kafka_outbox", "Grant SELECT and UPDATE");
            assertThat(Files.readAllLines(file)).isEmpty();
        }

        @Test
        void a_user_who_may_only_read_waybills_own_tables_is_told_what_to_grant() throws Exception {
            Cli.run("schema", "apply", "--db", url);
            execute("INSERT INTO outbox (destination, payload) VALUES ('orders', '1')");
            String reader = role("reader");
            execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + reader);
            Path file = directory.resolve("out.ndjson");

            var refused = Cli.run("relay", "run", "--db", urlOf(reader), "--to", "file:" + file, "--once");

            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err()).contains("permission denied", "grant it SELECT, INSERT, UPDATE and DELETE");
            assertThat(Files.readAllLines(file)).isEmpty();
        }

        @Test
        void a_user_who_is_refused_is_tried_again_until_let_in() throws Exception {
            Cli.run("schema", "apply", "--db", url, "--layout", "kafka-outbox");
            execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '1')");
            String late = "late_" + UUID.randomUUID().toString().substring(0, 8);
            Path file = directory.resolve("out.ndjson");

            try (var service = RelayService.start(config(urlOf(late), file))) {
                Eventually.is(
                        () -> assertThat(service.problems().get("shop")).contains("refused the user or the password"));
                execute("CREATE ROLE " + late + " LOGIN SUPERUSER");
                Eventually.is(() -> assertThat(Files.readAllLines(file)).hasSize(1));
                assertThat(service.problems()).isEmpty();
            }
            execute("DROP ROLE " + late);
        }

        private String role(String name) throws SQLException {
            String role = name + "_" + UUID.randomUUID().toString().substring(0, 8);
            execute("CREATE ROLE " + role + " LOGIN");
            return role;
        }

        private String urlOf(String user) {
            return url.replaceFirst("//[^@]*@", "//" + user + "@");
        }
    }

    @Nested
    class OnAServerOfItsOwn {

        @SuppressWarnings("NullAway.Init")
        private static Postgres server;

        @TempDir
        Path directory;

        private Path file;

        @SuppressWarnings("NullAway.Init")
        OnAServerOfItsOwn() {}

        @BeforeAll
        static void start() {
            server = Postgres.start();
        }

        @AfterAll
        static void stop() {
            server.close();
        }

        @BeforeEach
        void newFile() {
            file = directory.resolve("out.ndjson");
        }

        @Test
        void a_server_that_ends_in_the_middle_loses_nothing_and_is_found_again() throws Exception {
            try (TestDatabase database = server.newDatabase();
                    var service = RelayService.start(config(RelayServiceContract.url(database), file))) {
                Eventually.is(() -> assertThat(service.problems()).isEmpty());
                insert(database, 0);
                Eventually.is(() -> assertThat(numbers(file)).hasSize(500));
                insert(database, 500);
                server.crash();
                Eventually.is(() -> assertThat(service.isReady()).isFalse());
                assertThat(service.isAlive()).isTrue();
                server.restart();
                insert(database, 1_000);

                Eventually.is(() -> assertThat(numbers(file)).hasSize(1_500));
                Eventually.is(() -> assertThat(service.isReady()).isTrue());
            }
        }

        @Test
        void a_wrong_password_is_said_without_it_and_tried_again_until_it_is_right() throws Exception {
            try (TestDatabase database = server.newDatabase()) {
                Cli.run("schema", "apply", "--db", RelayServiceContract.url(database), "--layout", "kafka-outbox");
                insert(database, 0);
                RelayServiceContract.executeIn(database, "CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'other'");
                RelayServiceContract.executeIn(
                        database,
                        "DO $$ BEGIN EXECUTE format('COPY (VALUES (%L), (%L), (%L)) TO %L',"
                                + " 'host all guarded all scram-sha-256', 'host all all all trust', 'local all all trust',"
                                + " current_setting('hba_file')); END $$");
                RelayServiceContract.executeIn(database, "SELECT pg_reload_conf()");
                String url = RelayServiceContract.url(database).replaceFirst("//[^@]*@", "//guarded:s3cret@");

                try (var service = RelayService.start(config(url, file))) {
                    Eventually.is(() -> assertThat(service.problems().get("shop"))
                            .contains("refused the user or the password")
                            .doesNotContain("s3cret"));
                    assertThat(Files.readAllLines(file)).isEmpty();
                    RelayServiceContract.executeIn(database, "ALTER ROLE guarded PASSWORD 's3cret'");
                    Eventually.is(() -> assertThat(numbers(file)).hasSize(500));
                }
            }
        }
    }

    private static void insert(TestDatabase database, int from) throws SQLException {
        RelayServiceContract.executeIn(
                database,
                "INSERT INTO kafka_outbox (topic, payload_json, key) SELECT 'orders', '{\"n\":' || n || '}', 'k' || n % 7"
                        + " FROM generate_series(" + from + ", " + (from + 499) + ") n");
    }

    /** At least once: what came twice counts once. */
    private static Set<String> numbers(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> line.replaceFirst(".*\"payload\":", ""))
                .collect(Collectors.toSet());
    }

    private static RelayConfig config(String url, Path file) {
        return RelayConfigFile.parse("test.yaml", Cli.filled("""
                sources: [{name: shop, db: "%s", layout: kafka-outbox, poll: 20ms}]
                routes: [{to: "file:%s"}]
                """, url, file), name -> null);
    }

    @Nested
    class OnMariaDb extends RelayServiceContract {
        @Override
        TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        String lock(String table) {
            return "LOCK TABLES " + table + " WRITE";
        }

        @Override
        String unlock() {
            return "UNLOCK TABLES";
        }

        @Override
        String cutOthers() {
            return "SELECT concat('KILL ', id) FROM information_schema.processlist"
                    + " WHERE db = database() AND id <> connection_id()";
        }

        @Override
        int healthySources() {
            return Integer.getInteger("waybill.relay.sources", 4);
        }
    }
}
