package io.waybill.jdbc.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.ops.MessageSearch.Page;
import io.waybill.jdbc.ops.MessageSearch.Query;
import io.waybill.message.Message;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.wire.Headers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A search finds what matches, each message once and in order, although a page looks at a bounded number. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MessageSearchContract {

    private static final int MAX_SEARCHED = 500;
    private static final int MESSAGES = 2 * MAX_SEARCHED + 345;
    private static final String RARE = UUID.randomUUID().toString();

    private final TestDatabase database;
    private final JdbcStore store;
    private final MessageSearch search;
    private final List<StoredMessage> all = new ArrayList<>();

    MessageSearchContract(TestDatabase database) {
        this.database = database;
        this.store = JdbcStore.on(database.dataSource()).initializeSchema();
        this.search = new MessageSearch(database.dataSource(), store.dialect(), "", Time.system(), MAX_SEARCHED);
    }

    @BeforeAll
    void append() throws SQLException {
        var random = new Random(7);
        var messages = new ArrayList<Message>();
        for (int i = 0; i < MESSAGES; i++) {
            Message message = Message.event(i % 700 == 1 ? "Rare" : "Usual", "{}")
                    .to("destination-" + random.nextInt(5))
                    .key("message-" + i % 100)
                    .inOrderOf("key-" + random.nextInt(50));
            messages.add(
                    i % 400 == 7
                            ? message.header(Headers.CORRELATION_ID, RARE)
                            : i % 10 == 3 ? message.header("note", RARE) : message);
        }
        store.transactions().inTransaction(transaction -> {
            store.outbox().append(messages);
            return transaction;
        });
        change("status = 'DISPATCHED', dispatched_at = created_at", "id % 4 IN (1, 2)");
        change("status = 'DISCARDED', dispatched_at = created_at", "id % 400 = 4");
        change("status = 'FAILED', last_error = 'no ink'", "id % 400 = 3");
        change("status = 'HELD'", "id % 40 = 7");
        change("available_at = created_at", "status = 'PENDING' AND id % 40 = 11");
        all.addAll(store.admin().list(Selection.all(), 0, MESSAGES));
        assertThat(all).hasSize(MESSAGES);
    }

    private void change(String values, String which) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE outbox SET " + values + " WHERE " + which))
                    .isPositive();
        }
    }

    @AfterAll
    void drop() {
        database.close();
    }

    @Test
    void all_messages_are_paged_in_order() {
        check(Selection.all(), message -> true);
    }

    @Test
    void each_status_is_found() {
        for (OutboxStatus status : OutboxStatus.values()) {
            check(Selection.of(status), message -> message.status() == status);
        }
        check(
                Selection.of(OutboxStatus.FAILED, OutboxStatus.DISPATCHED),
                message -> Set.of(OutboxStatus.FAILED, OutboxStatus.DISPATCHED).contains(message.status()));
    }

    @Test
    void what_has_no_index_is_found_behind_any_number_of_others() {
        check(
                Selection.all().ofType("Rare"),
                message -> message.envelope().type().equals("Rare"));
        check(
                Selection.all().to("destination-2").inOrderOf("key-7"),
                message -> message.envelope().destination().equals("destination-2")
                        && message.envelope().partitionKey().equals("key-7"));
        check(
                Selection.of(OutboxStatus.PENDING).to("destination-2"),
                message -> message.status() == OutboxStatus.PENDING
                        && message.envelope().destination().equals("destination-2"));
        check(Selection.all().withError("INK"), message -> message.status() == OutboxStatus.FAILED);
        check(Selection.all().to("nowhere"), message -> false);
    }

    @Test
    void a_message_key_and_a_correlation_are_compared_as_a_whole() {
        check(
                new Query(Selection.all(), "message-4", ""),
                message -> message.envelope().key().equals("message-4"));
        check(
                new Query(Selection.all(), "", RARE),
                message -> RARE.equals(message.envelope().headers().get(Headers.CORRELATION_ID)));
        check(new Query(Selection.all(), "", RARE.substring(0, 8)), message -> false);
    }

    @Test
    void a_page_looks_at_a_bounded_number_of_messages() {
        Page page = search.page(new Query(Selection.all().ofType("Nothing"), "", ""), 0, 50);

        assertThat(page.messages()).isEmpty();
        assertThat(page.hasMore()).isTrue();
        assertThat(page.searched()).isBetween((long) MAX_SEARCHED, 5L * MAX_SEARCHED);
    }

    private void check(Selection selection, Predicate<StoredMessage> expected) {
        check(new Query(selection, "", ""), expected);
    }

    private void check(Query query, Predicate<StoredMessage> expected) {
        var found = new ArrayList<StoredMessage>();
        long after = 0;
        Page page;
        do {
            page = search.page(query, after, 60);
            assertThat(page.position()).isGreaterThan(after);
            assertThat(page.messages()).hasSizeLessThanOrEqualTo(60);
            found.addAll(page.messages());
            after = page.position();
        } while (page.hasMore());

        assertThat(found).isSortedAccordingTo(Comparator.comparingLong(StoredMessage::position));
        assertThat(found.stream().map(message -> message.envelope().id()))
                .as(query.toString())
                .containsExactlyElementsOf(all.stream()
                        .filter(expected)
                        .map(message -> message.envelope().id())
                        .toList());
    }
}
