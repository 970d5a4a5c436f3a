package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does with tables that Waybill did not create, in a database that has nothing else of it. */
class AdoptedTableCommandsTest {

    abstract static class Contract extends DatabaseScenario {

        @TempDir
        @SuppressWarnings("NullAway.Init")
        Path directory;

        @Test
        void what_failed_is_counted_listed_shown_replayed_and_discarded() throws SQLException {
            kafka("schema", "apply");
            execute("INSERT INTO kafka_outbox (topic, payload_json, errored, error_reason, push_attempts) VALUES"
                    + " ('orders', '{\"n\":1}', 1, 'no such topic', 5), ('orders', '{\"n\":2}', 1, 'no such topic', 5),"
                    + " ('orders', '{\"n\":3}', 0, '', 0)");

            var stats = kafka("outbox", "stats", "-o", "ndjson");
            var list = kafka("outbox", "list", "--status", "failed");
            var show = kafka("outbox", "show", "1");
            var tail = kafka("outbox", "tail", "--once");
            var tailed = kafka("outbox", "tail", "--once", "-o", "ndjson");
            var nothing = kafka("outbox", "discard", "--reason", "old");
            var discard = kafka("outbox", "discard", "--id", "1", "--reason", "old", "--yes");
            var replay = kafka("outbox", "replay", "--error", "no such", "--reason", "created", "--yes", "-o", "json");
            var sent = kafka("relay", "run", "--once", "--to", "file:" + directory.resolve("out"));

            assertThat(stats.out()).as(stats.err()).contains("\"pending\":1", "\"failed\":2", "\"maxAttempts\":5");
            assertThat(list.out()).as(list.err()).hasLineCount(3).contains("no such topic");
            assertThat(show.out()).as(show.err()).contains("FAILED", "payload     {\"n\":1}", "no such topic");
            assertThat(tail.out()).as(tail.err()).hasLineCount(3);
            assertThat(tailed.out())
                    .as(tailed.err())
                    .hasLineCount(3)
                    .contains("\"payload\":\"{\\\"n\\\":1}\"", "\"payload\":\"{\\\"n\\\":3}\"");
            assertThat(nothing.exitCode()).isEqualTo(2);
            assertThat(discard.out()).as(discard.err()).contains("1 messages discarded");
            assertThat(replay.out().strip()).as(replay.err()).isEqualTo("{\"changed\":1}");
            assertThat(sent.out()).as(sent.err()).contains("2 messages sent, 0 failed, 0 pending");
            assertThat(count("kafka_outbox")).isEqualTo(2);
        }

        @Test
        void rows_that_were_sent_are_cleaned_up_or_removed_at_once() throws SQLException {
            kafka("schema", "apply");
            execute("INSERT INTO kafka_outbox (topic, payload_json, push_completed_at) VALUES"
                    + " ('orders', '1', TIMESTAMP '2020-01-01 00:00:00'), ('orders', '2', NULL)");

            var dry = kafka("outbox", "cleanup", "--days", "3", "--dry-run");
            var archived = kafka("outbox", "cleanup", "--archive-table");
            var cleaned = kafka("outbox", "cleanup", "--yes");
            var sent = kafka(
                    "relay", "run", "--once", "--retention-days", "0", "--to", "file:" + directory.resolve("out"));

            assertThat(dry.out()).as(dry.err()).contains("1 messages older than 3 days would be removed");
            assertThat(archived.exitCode()).isEqualTo(2);
            assertThat(cleaned.out()).as(cleaned.err()).contains("1 messages older than 7 days removed");
            assertThat(sent.out()).as(sent.err()).contains("1 messages sent");
            assertThat(count("kafka_outbox")).isZero();
        }

        @Test
        void a_mistyped_table_is_not_created() throws SQLException {
            var relay = Cli.run(
                    "relay",
                    "run",
                    "--db",
                    url,
                    "--layout",
                    "kafka-outbox",
                    "--table",
                    "kafka_outbx",
                    "--once",
                    "--to",
                    "file:" + directory.resolve("out"));

            assertThat(relay.exitCode()).isEqualTo(1);
            assertThat(relay.err()).contains("There is no table kafka_outbx", "schema apply --layout kafka-outbox");
        }

        @Test
        void the_doctor_says_what_failed_and_which_time_zone_and_queue_are_meant() throws SQLException {
            Cli.run("schema", "apply", "--db", url, "--layout", "messenger");
            execute("INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at) VALUES"
                    + " ('1', '[]', 'failed', '2020-01-01 00:00:00', '2020-01-01 00:00:00'),"
                    + " ('2', '[]', 'async', '2099-01-01 00:00:00', '2020-01-01 00:00:00')");

            var doctor = Cli.run("doctor", "--db", url, "--layout", "messenger");

            assertThat(doctor.out())
                    .contains("1 to outbox", "--time-zone", "has no rows for the queue outbox, but for async (1)");
        }

        @Test
        void a_payload_may_be_as_large_as_the_flag_says() throws Exception {
            kafka("schema", "apply");
            execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '" + "7".repeat(1_025)
                    + "'), ('orders', '1')");
            String file = "file:" + directory.resolve("sent");

            var dry = kafka("relay", "run", "--max-payload", "1KB", "--dry-run");
            var sent = kafka("relay", "run", "--max-payload", "1KB", "--to", file, "--once");
            var wrong = kafka("relay", "run", "--max-payload", "lots", "--to", file, "--once");
            var twice = Cli.run("relay", "run", "--config", "relay.yaml", "--max-payload", "1KB");

            assertThat(dry.out()).contains("\"payload\":1}").hasLineCount(1);
            assertThat(dry.err())
                    .contains("would fail: Its payload has 1025 bytes, and max-payload is 1024.")
                    .contains("1 messages would be sent");
            assertThat(sent.exitCode()).isEqualTo(3);
            assertThat(sent.out()).contains("1 messages sent, 1 failed, 0 pending");
            assertThat(wrong.exitCode()).isEqualTo(2);
            assertThat(wrong.err()).contains("--max-payload: lots must be a number of bytes such as 500KB");
            assertThat(twice.exitCode()).isEqualTo(2);
            assertThat(twice.err()).contains("--max-payload is not used with --config: write it into the file.");
        }

        @Test
        void a_time_zone_must_be_one() {
            var wrong = kafka("outbox", "stats", "--time-zone", "Europe/Nowhere");

            assertThat(wrong.exitCode()).isEqualTo(2);
            assertThat(wrong.err()).contains("--time-zone (Europe/Nowhere) is no time zone");
        }

        private Cli kafka(String... command) {
            List<String> arguments = new ArrayList<>(List.of(command));
            arguments.addAll(List.of("--db", url, "--layout", "kafka-outbox"));
            return Cli.run(arguments.toArray(String[]::new));
        }
    }

    @Nested
    class OnPostgres extends Contract {
        @Override
        public TestDatabase open() {
            return Postgres.shared().newDatabase();
        }
    }

    @Nested
    class OnMariaDb extends Contract {
        @Override
        public TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }
    }
}
