package io.waybill.jdbc.schema.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Rows;
import io.waybill.jdbc.schema.Relays;
import io.waybill.message.Message;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The queries that the guide gives to people who look for trouble (10.1 and 10.2), as they are written there, and that of 10.3 for indexes as
 * docs/troubleshooting.md has it.
 */
class GuideQueriesTest {

    private final TestDatabase database = Postgres.shared().newDatabase();

    @BeforeEach
    void one_message_is_sent_one_fails_and_one_waits() {
        var store = JdbcStore.on(database.dataSource()).initializeSchema();
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(List.of(
                                Message.command("Pay", "1").to("payments"),
                                Message.command("Pay", "2").to("payments"))));
        var broker = new MemoryBroker();
        broker.answers(message -> message.payload().asText().equals("2")
                ? new Outcome.Refused("no such account")
                : new Outcome.Accepted());
        Relays.drain(store, broker, 1);
        store.transactions()
                .inTransaction(transaction ->
                        store.outbox().append(Message.event("Paid", "3").to("events")));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void check_outbox_backlog() {
        assertThat(Rows.in(database, """
                SELECT category, status, COUNT(*)
                FROM outbox
                GROUP BY category, status;
                """))
                .containsExactlyInAnyOrder("command DISPATCHED 1", "command FAILED 1", "event PENDING 1");
    }

    @Test
    void messages_pending_dispatch() {
        assertThat(Rows.in(database, """
                SELECT category, destination, COUNT(*), MIN(created_at) as oldest
                FROM outbox
                WHERE status = 'PENDING'
                GROUP BY category, destination;
                """)).singleElement().asString().startsWith("event events 1 20");
    }

    @Test
    void failed_messages() {
        assertThat(Rows.in(database, """
                SELECT * FROM outbox
                WHERE status = 'FAILED'
                ORDER BY retry_count DESC;
                """)).singleElement().asString().contains("payments", "no such account", "FAILED");
    }

    @Test
    void indexes_that_were_never_used() throws IOException {
        String page = Files.readString(Path.of("../docs/troubleshooting.md"));
        int from = page.indexOf("SELECT s.schemaname");

        assertThat(Rows.in(database, page.substring(from, page.indexOf(";", from))))
                .anyMatch(row -> row.contains("process_instance_status"))
                .noneMatch(row -> row.contains("command_idempotency_key"));
    }
}
