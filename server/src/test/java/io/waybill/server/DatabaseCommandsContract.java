package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.command.CommandRecord;
import io.waybill.command.CommandStatus;
import io.waybill.inbox.Failures;
import io.waybill.jdbc.FailedTable;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.JdbcStoreOptions;
import io.waybill.jdbc.OperationLog;
import io.waybill.message.Message;
import io.waybill.testkit.services.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that work on a database, the same on each. */
abstract class DatabaseCommandsContract {

    TestDatabase database;
    String url;

    @SuppressWarnings("NullAway.Init")
    DatabaseCommandsContract() {}

    abstract TestDatabase open();

    @BeforeEach
    void openDatabase() {
        database = open();
        url = database.jdbcUrl().substring("jdbc:".length()).replaceFirst("//", "//" + database.user() + "@");
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Test
    void the_tables_are_created_once_and_then_left_alone() {
        var first = Cli.run("schema", "apply", "--db", url);
        var second = Cli.run("schema", "apply", "--db", url);

        assertThat(first.err()).isEmpty();
        assertThat(first.exitCode()).isZero();
        assertThat(first.out()).contains("up to date").doesNotContain(database.user() + "@");
        assertThat(second).isEqualTo(first);
    }

    @Test
    void the_statements_are_printed_for_the_database_that_is_asked() {
        var asked = Cli.run("schema", "print", "--db", url, "--table-prefix", "wb_");

        assertThat(asked.exitCode()).isZero();
        assertThat(asked.out()).contains("CREATE TABLE wb_outbox (", "CREATE TABLE wb_outbox_archive (");
    }

    @Test
    void without_tables_the_remedy_is_named() {
        var stats = Cli.run("outbox", "stats", "--db", url);

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err())
                .hasLineCount(1)
                .contains("tables of Waybill are missing", "waybill schema apply")
                .doesNotContain(database.user() + "@");
    }

    @Test
    void a_database_that_does_not_exist_is_said_to_be_missing() {
        var stats = Cli.run("outbox", "stats", "--db", url.substring(0, url.lastIndexOf('/')) + "/nowhere");

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err()).hasLineCount(1).contains("There is no database", "/nowhere");
    }

    @Test
    void a_server_that_is_not_there_is_named() {
        var stats = Cli.run("outbox", "stats", "--db", url.replaceFirst(":[0-9]+/", ":1/"));

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err()).hasLineCount(1).contains("Could not connect to", ":1/");
    }

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
        assertThat(Cli.run("outbox", "show", "--db", url, "seven").exitCode()).isEqualTo(2);
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
    void an_unknown_user_is_refused() {
        var stats = Cli.run("outbox", "stats", "--db", url.replaceFirst("//[^@]*@", "//nobody@"));

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err()).hasLineCount(1).contains("refused the user or the password");
    }

    @Test
    void what_failed_in_php_is_listed_and_discarded() throws SQLException {
        JdbcStore.on(
                        database.dataSource(),
                        JdbcStoreOptions.DEFAULT.withFailedTable(FailedTable.MESSENGER_MESSAGES),
                        Time.system())
                .initializeSchema();
        execute("INSERT INTO messenger_messages (body, headers, queue_name, created_at, available_at) VALUES"
                + " ('{}', '{\"type\":\"order.placed\"}', 'failed', '2026-01-01 00:00:00', '2026-01-01 00:00:00'),"
                + " ('{}', '[]', 'default', '2026-01-01 00:00:00', '2026-01-01 00:00:00')");

        var ours = Cli.run("failed", "list", "--db", url);
        var list = Cli.run("failed", "list", "--db", url, "--in", "messenger_messages", "-o", "ndjson");
        var discard = Cli.run(
                "failed",
                "discard",
                "--db",
                url,
                "--in",
                "messenger_messages",
                "--all",
                "--reason",
                "old",
                "-o",
                "json");

        assertThat(ours.out()).contains("No failed messages");
        assertThat(list.out()).as(list.err()).hasLineCount(1).contains("order.placed");
        assertThat(discard.out().strip()).as(discard.err()).isEqualTo("{\"changed\":1}");
        assertThat(count("messenger_messages")).isEqualTo(1);
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
    void commands_are_listed_the_latest_first_and_shown() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("command", "list", "--db", url).out()).contains("No commands in the last 24 hours.");
        UUID first = UUID.randomUUID();
        UUID second = UUID.randomUUID();
        JdbcStore store = JdbcStore.on(database.dataSource());
        for (UUID id : List.of(first, second)) {
            store.transactions().inTransaction(transaction -> {
                store.commandStore().insertNew(transaction, List.of(command(id)));
                return id;
            });
        }
        store.transactions()
                .inTransaction(transaction ->
                        store.commandStore().end(transaction, first, 1, CommandStatus.COMPLETED, "{\"ok\":true}"));

        var list = Cli.run("command", "list", "--db", url, "-o", "ndjson");
        var open = Cli.run("command", "list", "--db", url, "--status", "pending", "--type", "Book", "--key", "42");
        var show = Cli.run("command", "show", "--db", url, first.toString());

        assertThat(list.out().lines().map(line -> line.replaceFirst(".*\"id\":\"([^\"]*)\".*", "$1")))
                .containsExactly(second.toString(), first.toString());
        assertThat(open.out()).hasLineCount(2).contains(second.toString());
        assertThat(show.out()).contains("COMPLETED", "{\"ok\":true}", "businessKey     42");
        assertThat(Cli.run("command", "show", "--db", url, UUID.randomUUID().toString())
                        .err())
                .contains("There is no command");
    }

    private static CommandRecord command(UUID id) {
        return new CommandRecord(id, "Book", id.toString(), "42", id, 1, "{}", CommandStatus.PENDING, "", null);
    }

    @Test
    void the_relays_of_a_table_are_shown() {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("relay", "nodes", "--db", url).out()).contains("No relay serves it");
        JdbcStore store = JdbcStore.on(database.dataSource());
        var leases = store.leaseStore("billing");
        var table = leases.renew("relay-1", Duration.ofMinutes(1));
        leases.take(table.rows().subList(0, 3), "relay-1", Duration.ofMinutes(1));

        var nodes = Cli.run("relay", "nodes", "--db", url);

        assertThat(nodes.out().lines().toList().get(1)).matches("relay-1\\s+billing\\s+3\\s+\\d+s\\s+\\d+s");
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
    void the_inbox_is_cleaned_up() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        execute("INSERT INTO inbox (message_id, handler) VALUES ('1', 'billing'), ('2', 'billing')");
        execute("UPDATE inbox SET processed_at = processed_at - INTERVAL '31' DAY WHERE message_id = '1'");

        var dry = Cli.run("inbox", "cleanup", "--db", url, "--days", "30", "--dry-run");
        var removed = Cli.run("inbox", "cleanup", "--db", url);

        assertThat(dry.out()).contains("1 inbox rows older than 30 days would be removed");
        assertThat(removed.out()).contains("1 inbox rows older than 30 days removed");
        assertThat(count("inbox")).isEqualTo(1);
    }

    @Test
    void failed_messages_are_grouped_listed_mended_retried_and_discarded() {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("failed", "groups", "--db", url).out()).contains("No failed messages");
        fail("billing", 2);
        fail("shipping", 1);

        var groups = Cli.run("failed", "groups", "--db", url);
        String group = groups.out().lines().toList().get(1).split(" ", 2)[0];
        var list = Cli.run("failed", "list", "--db", url, "--group", group, "--limit", "1");
        String id = list.out().lines().toList().get(1).strip().split(" ", 2)[0];
        var show = Cli.run("failed", "show", "--db", url, id);
        var edit = Cli.run(
                "failed", "edit", "--db", url, id, "--payload", "{\"n\":9}", "--header", "by=hand", "--reason", "typo");
        var export = Cli.run("failed", "export", "--db", url, "--group", group);
        var nothing = Cli.run("failed", "retry", "--db", url, "--reason", "mended");
        var dry = Cli.run("failed", "retry", "--db", url, "--group", group, "--reason", "mended", "--dry-run");
        var retry = Cli.run("failed", "retry", "--db", url, "--group", group, "--reason", "mended", "--yes");
        var discard = Cli.run("failed", "discard", "--db", url, "--all", "--reason", "too old", "-o", "json");

        assertThat(groups.out()).contains("IllegalStateException", "orders", "billing", "shipping");
        assertThat(list.out()).contains("no ink").hasLineCount(2);
        assertThat(list.err()).contains("--after " + id);
        assertThat(show.out()).contains("header     channel: web", "payload    {\"n\":0}", "at io.waybill");
        assertThat(edit.err()).isEmpty();
        assertThat(export.out()).hasLineCount(2).contains("\"by\":\"hand\"", "{\\\"n\\\":9}");
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err()).contains("Nothing is selected");
        assertThat(dry.out()).contains("2 failed messages would be on their way to the handler");
        assertThat(retry.out()).contains("2 failed messages on their way to the handler");
        assertThat(discard.out().strip()).isEqualTo("{\"changed\":1}");
        assertThat(Cli.run("outbox", "stats", "--db", url).out()).contains("waybill.handler.billing.orders");
        var relay = Cli.run("relay", "run", "--db", url, "--to", "stdout:", "--once");
        assertThat(relay.err()).contains("0 messages sent");
        assertThat(Cli.run("failed", "show", "--db", url, id).err()).contains("There is no failed message " + id);
    }

    @Test
    void processes_are_listed_shown_and_explained() {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("process", "list", "--db", url).out()).contains("No processes.");
        String nobody = "018f0000-0000-7000-8000-000000000000";
        assertThat(Cli.run("process", "show", "--db", url, nobody).err()).contains("There is no process " + nobody);
        assertThat(Cli.run("process", "explain", "--db", url, nobody).err()).contains("There is no process " + nobody);
    }

    @Test
    void what_was_handled_lately_is_counted() throws SQLException {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("inbox", "stats", "--db", url).out()).contains("Nothing was handled in the last 24 hours");
        execute("INSERT INTO inbox (message_id, handler) VALUES ('1', 'billing'), ('2', 'billing'), ('2', 'shipping')");

        var stats = Cli.run("inbox", "stats", "--db", url);

        assertThat(stats.out().lines().toList().get(1)).matches("billing\\s+2\\s+\\d+s ago");
    }

    @Test
    void a_password_on_the_command_line_works_with_a_warning() {
        Cli.run("schema", "apply", "--db", url);
        String withPassword = database.jdbcUrl() + "?user=" + database.user() + "&password=" + database.password();

        var stats = Cli.run("outbox", "stats", "--db", withPassword);

        assertThat(stats.exitCode()).isZero();
        assertThat(stats.err()).hasLineCount(1).contains("--password-file").doesNotContain("password=");
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

    @Test
    void a_wrong_address_is_named_in_one_line() {
        Cli.run("schema", "apply", "--db", url);

        var unknown = Cli.run("relay", "run", "--db", url, "--to", "pigeon://coop", "--once");
        var local = Cli.run("relay", "run", "--db", url, "--to", "local:", "--once");
        var unwritable = Cli.run("relay", "run", "--db", url, "--to", "file:/nowhere/at/all", "--once");

        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("pigeon://coop", "kafka");
        assertThat(local.exitCode()).isEqualTo(2);
        assertThat(local.err()).contains("handlers of the application's own process");
        assertThat(unwritable.exitCode()).isEqualTo(2);
        assertThat(unwritable.err()).contains("/nowhere/at/all");
    }

    private void fail(String handler, int count) {
        var store = JdbcStore.on(database.dataSource());
        store.transactions().inTransaction(transaction -> {
            for (int i = 0; i < count; i++) {
                var message = Message.event("OrderPlaced", "{\"n\":" + i + "}")
                        .to("orders")
                        .header("channel", "web")
                        .seal(UUID::randomUUID);
                var failure = Failures.of(message, handler, 3, new IllegalStateException("no ink"));
                store.failedStore().put(transaction, failure);
            }
            return count;
        });
    }

    private void append(int count) {
        var store = JdbcStore.on(database.dataSource());
        store.transactions().inTransaction(transaction -> {
            for (int i = 0; i < count; i++) {
                store.outbox().append(Message.event("OrderPlaced", "{}").to("orders"));
            }
            return count;
        });
    }

    void execute(String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String table) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
