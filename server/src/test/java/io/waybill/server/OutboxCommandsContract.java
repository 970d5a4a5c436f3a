package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.ops.OperationLog;
import io.waybill.store.admin.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about messages on their way out, the same on each database. */
public abstract class OutboxCommandsContract extends DatabaseScenario {

    @Test
    void stats_are_a_table_for_people_and_json_for_programs() {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("outbox", "stats", "--db", url).out()).contains("Nothing waits");
        append(3);

        var table = Cli.run("outbox", "stats", "--db", url);
        var json = Cli.run("outbox", "stats", "--db", url, "-o", "json");

        assertThat(table.out().lines().toList().get(0))
                .startsWith("destination")
                .contains("pending", "oldest");
        assertThat(table.out().lines().toList().get(1)).matches("orders\\s+3\\s+0\\s+0\\s+0\\s+0\\s+0\\s+\\d+s");
        assertThat(json.out().strip())
                .startsWith("[{\"destination\":\"orders\",\"pending\":3,\"waiting\":0,\"held\":0,\"failed\":0,")
                .endsWith("}]");
    }

    @Test
    void the_outbox_is_cleaned_up_after_a_dry_run(@TempDir Path directory) throws SQLException, IOException {
        Cli.run("schema", "apply", "--db", url);
        append(25);
        execute("UPDATE outbox SET status = 'DISPATCHED', dispatched_at = created_at - INTERVAL '8' DAY,"
                + " created_at = created_at - INTERVAL '8' DAY");
        append(1);
        Path file = directory.resolve("archive.ndjson");

        var dry = Cli.run("outbox", "cleanup", "--db", url, "--days", "7", "--dry-run");
        var kept = Cli.run("outbox", "cleanup", "--db", url, "--days", "9");
        var removed = Cli.run(
                "outbox",
                "cleanup",
                "--db",
                url,
                "--days",
                "7",
                "--yes",
                "--batch",
                "10",
                "--archive-file",
                file.toString());
        var again = Cli.run("outbox", "cleanup", "--db", url, "--days", "7", "-o", "json");

        assertThat(dry.out()).contains("25 messages older than 7 days would be removed");
        assertThat(kept.out()).contains("0 messages older than 9 days removed");
        assertThat(removed.out()).contains("25 messages older than 7 days removed", "kept in " + file);
        assertThat(removed.err())
                .contains("10 of 25 messages older than 7 days removed", "20 of 25 messages older than 7 days removed");
        assertThat(again.out().strip()).isEqualTo("{\"removed\":0,\"olderThanDays\":7,\"archive\":null}");
        assertThat(Files.readAllLines(file)).hasSize(25);
    }

    @Test
    void messages_of_the_outbox_are_listed_page_by_page_and_shown() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("outbox", "list", "--db", url).out()).contains("No such message waits.");
        execute(
                "INSERT INTO outbox (destination, type, partition_key, payload) VALUES ('orders', 'Placed', 'a', '{\"n\":1}'),"
                        + " ('orders', 'Placed', 'b', '{\"n\":2}'), ('notes', 'Written', 'a', '{\"n\":3}')");
        execute("UPDATE outbox SET status = 'DISPATCHED', dispatched_at = created_at WHERE destination = 'notes'");

        var first = Cli.run("outbox", "list", "--db", url, "--limit", "1");
        String position = first.out().lines().toList().get(1).strip().split(" ", 2)[0];
        var second = Cli.run("outbox", "list", "--db", url, "--after", position, "-o", "ndjson");
        var everything = Cli.run("outbox", "list", "--db", url, "--all", "-o", "ndjson");
        var sent = Cli.run("outbox", "list", "--db", url, "--status", "dispatched");
        String id = everything.out().lines().findFirst().orElseThrow().replaceFirst(".*\"id\":\"([^\"]*)\".*", "$1");
        var shown = Cli.run("outbox", "show", "--db", url, id);
        var json = Cli.run("outbox", "show", "--db", url, id, "-o", "json");

        assertThat(first.out()).hasLineCount(2).contains("orders", "Placed", "PENDING");
        assertThat(first.err()).contains("waybill outbox list --after " + position);
        assertThat(second.out()).hasLineCount(1).contains("\"key\":\"b\"").startsWith("{");
        assertThat(everything.out()).hasLineCount(3);
        assertThat(sent.out()).hasLineCount(2).contains("notes", "DISPATCHED");
        assertThat(shown.out()).contains("to          orders", "payload     {\"n\":1}");
        assertThat(json.out()).hasLineCount(1).contains("{\\\"n\\\":1}", "\"headers\":{}");
        assertThat(Cli.run("outbox", "show", "--db", url, "018f0000-0000-7000-8000-000000000000")
                        .err())
                .contains("There is no message");
        var unknown = Cli.run("outbox", "show", "--db", url, "seven");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).contains("seven");
        assertThat(Cli.run("outbox", "list", "--db", url, "--limit", "0").exitCode())
                .isEqualTo(2);
    }

    @Test
    void what_is_appended_is_followed() throws Exception {
        Cli.run("schema", "apply", "--db", url);
        execute("INSERT INTO outbox (destination, payload) VALUES ('old', '1'), ('orders', '1')");
        var following = CompletableFuture.supplyAsync(
                () -> Cli.run("outbox", "tail", "--db", url, "--lines", "1", "--for", "3", "-o", "ndjson"));
        Eventually.is(() -> {
            execute("INSERT INTO outbox (destination, payload) VALUES ('late', '2')");
            assertThat(following).isDone();
        });

        List<Long> positions = following
                .get()
                .out()
                .lines()
                .map(line -> Long.valueOf(line.replaceFirst(".*\"position\":(\\d+),.*", "$1")))
                .toList();
        assertThat(positions).hasSizeGreaterThan(10).first().isNotEqualTo(1L);
        assertThat(positions)
                .isEqualTo(LongStream.range(positions.get(0), positions.get(0) + positions.size())
                        .boxed()
                        .toList());
        assertThat(Cli.run("outbox", "tail", "--db", url, "--once").out()).hasLineCount(10);
    }

    @Test
    void messages_that_were_refused_are_replayed_or_discarded_with_a_reason() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        execute(
                "INSERT INTO outbox (destination, payload, status, last_error) VALUES ('orders', '1', 'FAILED', 'no such topic'),"
                        + " ('orders', '2', 'FAILED', 'too large')");

        var without = Cli.run("outbox", "replay", "--db", url, "--error", "TOPIC");
        var nothing = Cli.run("outbox", "discard", "--db", url, "--reason", "why not");
        var dry = Cli.run("outbox", "replay", "--db", url, "--error", "TOPIC", "--reason", "created", "--dry-run");
        var replayed = Cli.run("outbox", "replay", "--db", url, "--error", "TOPIC", "--reason", "created");
        var discarded =
                Cli.run("outbox", "discard", "--db", url, "--status", "failed", "--reason", "junk", "-o", "json");
        var over = Cli.run("outbox", "discard", "--db", url, "--status", "dispatched", "--reason", "junk");

        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.err()).contains("--reason is missing");
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(dry.out()).contains("1 messages would be replayed.");
        assertThat(replayed.out()).contains("1 messages replayed.");
        assertThat(discarded.out().strip()).isEqualTo("{\"changed\":1}");
        assertThat(over.exitCode()).isEqualTo(2);
        assertThat(Cli.run("outbox", "list", "--db", url, "--all").out()).contains("PENDING", "DISCARDED", "junk");
    }

    @Test
    void refused_messages_are_redirected_and_edited_and_keys_unblocked() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        execute(
                "INSERT INTO outbox (destination, payload, status, last_error) VALUES ('orders', '1', 'FAILED', 'no such topic'),"
                        + " ('orders', '2', 'FAILED', 'no such topic'), ('orders', '3', 'FAILED', 'too large')");
        String large = JdbcStore.on(database.dataSource())
                .admin()
                .list(Selection.failed().withError("large"), 0, 1)
                .get(0)
                .envelope()
                .id()
                .toString();

        var redirected = Cli.run(
                "outbox", "redirect", "--db", url, "--error", "topic", "--to", "orders.new", "--reason", "renamed");
        var edited = Cli.run("outbox", "edit", "--db", url, large, "--payload", "4", "--reason", "too long");
        var again = Cli.run("outbox", "edit", "--db", url, large, "--payload", "5", "--reason", "too long");
        var nothing = Cli.run("outbox", "edit", "--db", url, large, "--reason", "too long");
        var unblocked = Cli.run("outbox", "unblock", "--db", url, "orders", "order 1", "--reason", "why not");
        var shown = Cli.run("outbox", "show", "--db", url, large);
        var json = Cli.run("outbox", "show", "--db", url, large, "-o", "json");

        assertThat(redirected.out()).contains("2 messages redirected to orders.new.");
        assertThat(Cli.run("outbox", "list", "--db", url, "--destination", "orders.new", "--retried")
                        .out())
                .hasLineCount(3);
        assertThat(edited.out()).contains("to be published again");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("it is pending");
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(unblocked.out()).contains("Nothing stops the key 'order 1' to orders");
        assertThat(shown.out())
                .contains("payload     4", "published again 1 times by operators")
                .containsPattern("history     \\S+Z  edited and replayed by " + System.getProperty("user.name"));
        assertThat(json.out()).contains("\"attemptLog\":[{\"at\":", "\"kind\":\"operator\"", "\"retries\":1");
        assertThat(Cli.run("operation", "list", "--db", url).out())
                .contains(
                        "waybill outbox redirect --error topic --to orders.new",
                        "waybill outbox edit " + large,
                        "waybill outbox unblock orders 'order 1'");
    }

    @Test
    void who_changed_what_and_why_is_written_down_before_it_is_changed() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        execute("INSERT INTO outbox (destination, payload, status) VALUES ('orders', '1', 'FAILED')");
        var none = Cli.run("operation", "list", "--db", url);
        Cli.run("outbox", "discard", "--db", url, "--all", "--reason", "only looking", "--dry-run");
        Cli.run("outbox", "discard", "--db", url, "--status", "failed", "--key", "", "--reason", "it's junk");
        Cli.run("failed", "edit", "--db", url, "77", "--payload", "s3cret", "--reason", "a typo");
        OperationLog log = JdbcStore.on(database.dataSource()).operationLog();
        log.write("ann", "waybill demo", "a look", () -> {
            assertThat(log.latest(1).get(0).endedAt()).isNull();
            return "";
        });

        var list = Cli.run("operation", "list", "--db", url);
        var rows = Cli.run("operation", "list", "--db", url, "-o", "ndjson").out();

        assertThat(none.out()).contains("Nothing was changed");
        assertThat(list.out())
                .hasLineCount(4)
                .contains("waybill outbox discard --status failed", "1 messages discarded");
        assertThat(rows.lines()).hasSize(3);
        assertThat(rows.lines().toList().get(1))
                .contains("waybill failed edit 77", "\"reason\":\"a typo\"", "It failed: ")
                .doesNotContain("s3cret");
        assertThat(rows.lines().toList().get(2))
                .contains("\"operator\":\"" + System.getProperty("user.name") + "\"", "it's junk")
                .contains("\"databaseUser\":\"" + database.user())
                .doesNotContain("\"endedAt\":null");
    }

    @Test
    void a_destination_is_paused_and_resumed_with_a_reason(@TempDir Path directory) throws IOException, SQLException {
        Cli.run("schema", "apply", "--db", url);
        append(3);
        execute("INSERT INTO outbox (destination, payload) VALUES ('notes', '4')");
        String file = "file:" + directory.resolve("messages.ndjson");

        var without = Cli.run("outbox", "pause", "orders", "--db", url);
        var dry = Cli.run("outbox", "pause", "orders", "--db", url, "--reason", "only looking", "--dry-run");
        var asked = Cli.exactly("outbox", "pause", "orders", "--db", url, "--reason", "the queue is full");
        var paused = Cli.run("outbox", "pause", "orders", "--db", url, "--reason", "the queue is full");
        var again = Cli.run("outbox", "pause", "orders", "--db", url, "--reason", "as I said");
        Cli.run("outbox", "pause", "later", "--db", url, "--reason", "not ready", "-o", "json");
        var drained = Cli.run("relay", "run", "--db", url, "--to", file, "--once");

        String who = System.getProperty("user.name");
        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.err()).contains("--reason is missing");
        assertThat(dry.out()).contains("orders would be paused.");
        assertThat(asked.err()).contains("This would: Pause orders in ", "add --yes");
        assertThat(paused.out()).contains("orders is paused. Relays see it within their sweep interval.");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("orders has been paused since ", "by " + who + ": the queue is full");
        assertThat(drained.out())
                .contains("1 messages sent", "3 pending", "orders takes no messages: paused by " + who)
                .doesNotContain("later takes no messages");
        assertThat(drained.exitCode()).isEqualTo(4);

        assertThat(Cli.run("outbox", "stats", "--db", url).out())
                .containsPattern("orders +3 .*paused by " + who + ": the queue is full")
                .containsPattern("later +0 .*paused by " + who + ": not ready");
        assertThat(Cli.run("outbox", "stats", "--db", url, "-o", "json").out())
                .contains("\"pausedBy\":\"" + who + "\",\"pausedReason\":\"the queue is full\"");
        assertThat(Cli.run("waiting", "--db", url).out())
                .contains("destination orders", "paused by " + who + ": the queue is full")
                .contains("-> ends when it is resumed: waybill outbox resume orders");
        assertThat(Cli.run("doctor", "--db", url).out())
                .contains("orders has been paused since ", "waybill outbox resume orders");

        var resumed = Cli.run("outbox", "resume", "orders", "--db", url, "--reason", "it has room");
        var nothing = Cli.run("outbox", "resume", "orders", "--db", url, "--reason", "it has room");
        assertThat(resumed.out()).contains("orders is resumed.");
        assertThat(nothing.err()).contains("orders is not paused. Paused are: later.");
        assertThat(Cli.run("relay", "run", "--db", url, "--to", file, "--once").out())
                .contains("3 messages sent", "0 pending");
        assertThat(Cli.run("operation", "list", "--db", url, "-o", "ndjson").out())
                .contains("waybill outbox pause orders", "\"reason\":\"the queue is full\"")
                .contains("waybill outbox resume orders", "\"reason\":\"it has room\"");
    }

    @Test
    void messages_may_be_moved_to_the_archive_table() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        append(4);
        execute("UPDATE outbox SET status = 'DISPATCHED', dispatched_at = created_at - INTERVAL '8' DAY,"
                + " created_at = created_at - INTERVAL '8' DAY");

        var removed = Cli.run("outbox", "cleanup", "--db", url, "--archive-table");

        assertThat(removed.out()).contains("4 messages older than 7 days removed", "kept in outbox_archive");
        assertThat(count("outbox_archive")).isEqualTo(4);
        assertThat(count("outbox")).isZero();
    }

    @Test
    void rows_inserted_by_hand_are_written_to_a_file_in_order(@TempDir Path directory)
            throws SQLException, IOException {
        Cli.run("schema", "apply", "--db", url);
        execute("INSERT INTO outbox (destination, partition_key, payload) VALUES ('orders', '42', '{\"n\":1}')");
        execute("INSERT INTO outbox (destination, partition_key, payload) VALUES ('orders', '42', '{\"n\":2}')");
        execute("INSERT INTO outbox (destination, payload) VALUES ('notes', 'not json')");
        Path file = directory.resolve("messages.ndjson");

        var first = Cli.run("relay", "run", "--db", url, "--to", "file:" + file, "--once");
        var second = Cli.run("relay", "run", "--db", url, "--to", "file:" + file, "--once");

        assertThat(first.exitCode()).isZero();
        assertThat(first.out()).contains("3 messages sent, 0 failed, 0 pending");
        assertThat(second.out()).contains("0 messages sent");
        assertThat(Files.readAllLines(file)).hasSize(3).anyMatch(line -> line.contains("\"payload\":\"not json\""));
        assertThat(Files.readAllLines(file).stream().filter(line -> line.contains("\"partitionKey\":\"42\"")))
                .extracting(line -> line.replaceFirst(".*\"payload\":(.*)}", "$1"))
                .containsExactly("{\"n\":1}", "{\"n\":2}");
    }
}
