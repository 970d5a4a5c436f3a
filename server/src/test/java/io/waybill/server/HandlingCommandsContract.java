package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.FailedTable;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.Message;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The commands about what was received and handled, and what could not be, the same on each database. */
public abstract class HandlingCommandsContract extends DatabaseScenario {

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
    void what_failed_in_php_goes_back_to_the_queue_that_somebody_names() throws SQLException {
        JdbcStore.on(
                        database.dataSource(),
                        JdbcStoreOptions.DEFAULT.withFailedTable(FailedTable.MESSENGER_MESSAGES),
                        Time.system())
                .initializeSchema();
        execute("INSERT INTO messenger_messages (body, headers, queue_name, created_at, available_at) VALUES"
                + " ('{}', '{\"type\":\"order.placed\"}', 'failed', '2026-01-01 00:00:00', '2026-01-01 00:00:00')");

        var unknown = retry();
        var known = retry("--queue", "default");

        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).contains("--queue NAME", "messenger:failed:retry 1");
        assertThat(known.out()).as(known.err()).contains("1 failed messages back in the queue default.");
        assertThat(count("messenger_messages WHERE queue_name = 'default'")).isEqualTo(1);
    }

    private Cli retry(String... more) {
        var arguments = new ArrayList<>(List.of(
                "failed", "retry", "--db", url, "--in", "messenger_messages", "--all", "--reason", "ink", "--yes"));
        arguments.addAll(List.of(more));
        return Cli.run(arguments.toArray(String[]::new));
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
        var again = Cli.run("failed", "list", "--db", url, "--retried");
        var discard = Cli.run("failed", "discard", "--db", url, "--all", "--reason", "too old", "-o", "json");

        assertThat(groups.out()).contains("IllegalStateException", "orders", "billing", "shipping");
        assertThat(list.out()).contains("no ink").hasLineCount(2);
        assertThat(list.err()).contains("--after " + id);
        assertThat(show.out()).contains("header     channel: web", "payload    {\"n\":0}", "at io.waybill");
        assertThat(show.out()).containsPattern("history    \\S+Z  failed: IllegalStateException: no ink");
        assertThat(edit.err()).isEmpty();
        assertThat(export.out()).contains("\"text\":\"edited by " + System.getProperty("user.name") + "\"");
        assertThat(export.out()).hasLineCount(2).contains("\"by\":\"hand\"", "{\\\"n\\\":9}");
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err()).contains("Nothing is selected");
        assertThat(dry.out()).contains("2 failed messages would be on their way to the handler");
        assertThat(again.out() + again.err()).contains("No failed messages");
        assertThat(retry.out()).contains("2 failed messages on their way to the handler");
        assertThat(discard.out().strip()).isEqualTo("{\"changed\":1}");
        assertThat(Cli.run("outbox", "stats", "--db", url).out()).contains("waybill.handler.billing.orders");
        var relay = Cli.run("relay", "run", "--db", url, "--to", "stdout:", "--once");
        assertThat(relay.err()).contains("0 messages sent");
        assertThat(Cli.run("failed", "show", "--db", url, id).err()).contains("There is no failed message " + id);
    }

    @Test
    void a_retry_says_what_it_refuses_to_keep_the_order_of_a_key() {
        Cli.run("schema", "apply", "--db", url);
        park("a", 3);
        List<String> ids = Cli.run("failed", "list", "--db", url)
                .out()
                .lines()
                .skip(1)
                .map(line -> line.strip().split(" ", 2)[0])
                .toList();

        var followers = Cli.run(
                "failed", "retry", "--db", url, "--id", ids.get(1), "--id", ids.get(2), "--reason", "ink", "--yes");
        var queue = Cli.run("failed", "retry", "--db", url, "--all", "--to-queue", "--reason", "ink", "--yes");
        var first = Cli.run("failed", "retry", "--db", url, "--id", ids.get(0), "--reason", "ink", "--yes");

        assertThat(followers.out()).contains("0 failed messages");
        assertThat(followers.err()).contains("2 failed messages were not retried: an earlier message of their key");
        assertThat(queue.err()).contains("3 failed messages were not retried", "Leave --to-queue out");
        assertThat(first.out()).contains("1 failed messages on their way");
        assertThat(first.err()).isEmpty();
        assertThat(Cli.run("failed", "show", "--db", url, ids.get(0)).out())
                .contains("parks its key, is being retried");
        assertThat(Cli.run("failed", "show", "--db", url, ids.get(1)).out())
                .contains("waits behind an earlier message");
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

    private static CommandRecord command(UUID id) {
        return new CommandRecord(id, "Book", id.toString(), "42", id, 1, "{}", CommandStatus.PENDING, "", null);
    }

    /** One message of the key has failed, and the others are behind it. */
    private void park(String key, int count) {
        var store = JdbcStore.on(database.dataSource());
        store.transactions().inTransaction(transaction -> {
            for (int i = 0; i < count; i++) {
                var message = Message.event("OrderPlaced", "{\"n\":" + i + "}")
                        .to("orders")
                        .inOrderOf(key)
                        .seal(UUID::randomUUID);
                var failure = ErrorSummary.of(message, "billing", i == 0 ? 3 : 0, new IllegalStateException("no ink"));
                store.failedStore().put(transaction, failure.parkingKey(true));
            }
            return count;
        });
    }

    private void fail(String handler, int count) {
        var store = JdbcStore.on(database.dataSource());
        store.transactions().inTransaction(transaction -> {
            for (int i = 0; i < count; i++) {
                var message = Message.event("OrderPlaced", "{\"n\":" + i + "}")
                        .to("orders")
                        .header("channel", "web")
                        .seal(UUID::randomUUID);
                var failure = ErrorSummary.of(message, handler, 3, new IllegalStateException("no ink"));
                store.failedStore().put(transaction, failure);
            }
            return count;
        });
    }
}
