package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.message.Envelope;
import io.waybill.ops.OutboxOperations;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A table whose rows are sent under a lease, the same on each database. */
public abstract class LayoutContract extends LayoutScenario {

    @Test
    void a_row_with_topic_and_payload_alone_is_sent_and_marked() {
        var relay = relay(open(Layouts.KAFKA_OUTBOX));
        execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '{\"n\":1}')");

        relay.drain();

        assertThat(broker.accepted()).singleElement().satisfies(message -> {
            assertThat(message.destination()).isEqualTo("orders");
            assertThat(message.payload().asText()).isEqualTo("{\"n\":1}");
            assertThat(message.isOrdered()).isFalse();
        });
        assertThat(rows(
                        "SELECT count(*) FROM kafka_outbox WHERE push_completed_at IS NOT NULL AND push_started_at IS NOT NULL"
                                + " AND batch_id IS NOT NULL AND push_attempts = 1 AND errored = 0"))
                .containsExactly("1");
    }

    @Test
    void headers_key_and_partition_key_travel_and_an_empty_partition_key_means_the_key() {
        var relay = relay(open(Layouts.KAFKA_OUTBOX));
        String columns =
                "INSERT INTO kafka_outbox (topic, payload_json, payload_headers, " + keyColumn() + ", partition_key)";
        execute(
                columns + " VALUES ('orders', '{}', '{\"a\":\"b\"}', 'k1', 'p1')",
                columns + " VALUES ('orders', '{}', '', 'k2', '')");

        relay.drain();

        assertThat(broker.accepted())
                .extracting(Envelope::key, Envelope::partitionKey, Envelope::headers)
                .containsExactly(tuple("k1", "p1", Map.of("a", "b")), tuple("k2", "k2", Map.of()));
    }

    @Test
    void the_id_of_a_message_stays_the_same_and_differs_between_tables() {
        var first = relay(open(Layouts.KAFKA_OUTBOX));
        var second = relay(open(Layouts.KAFKA_OUTBOX.withTable("other_outbox")));
        for (String table : List.of("kafka_outbox", "other_outbox")) {
            execute("INSERT INTO " + table + " (topic, payload_json) VALUES ('orders', '1')");
        }
        first.drain();
        execute("UPDATE kafka_outbox SET push_completed_at = NULL");
        first.drain();
        second.drain();

        List<UUID> ids = broker.accepted().stream().map(Envelope::id).toList();
        assertThat(ids).hasSize(3);
        assertThat(ids.get(1)).isEqualTo(ids.get(0));
        assertThat(ids.get(2)).isNotEqualTo(ids.get(0));
    }

    @Test
    void a_refused_message_waits_with_its_key_and_nothing_else_does() {
        var relay = relay(open(Layouts.KAFKA_OUTBOX));
        insert("1", "A");
        insert("2", "A");
        insert("3", "B");
        insert("4", "");
        broker.answers(refuse("1"));

        relay.drain();

        assertThat(broker.payloads()).containsExactlyInAnyOrder("3", "4");
        assertThat(rows("SELECT push_attempts, errored, error_reason FROM kafka_outbox WHERE payload_json = '1'"))
                .containsExactly("1 0 not this one");
        insert("5", "A");
        relay.drain();
        assertThat(broker.payloads()).doesNotContain("2", "5");

        broker.recovers();
        clock.advance(Duration.ofSeconds(3));
        relay.drain();

        assertThat(broker.payloads().subList(2, 5)).containsExactly("1", "2", "5");
        assertThat(rows("SELECT row_id FROM kafka_outbox_relay_waiting")).isEmpty();
    }

    @Test
    void a_message_refused_for_the_last_time_is_marked_and_its_key_parked_until_the_mark_is_taken_away() {
        AdoptedTable table = open(Layouts.KAFKA_OUTBOX);
        var relay = relay(table, route -> route.maxAttempts(2));
        insert("1", "A");
        insert("2", "A");
        insert("3", "B");
        broker.answers(refuse("1"));

        outlast(relay, 2);

        assertThat(broker.payloads()).containsExactly("3");
        assertThat(rows("SELECT push_attempts, errored, error_reason FROM kafka_outbox WHERE payload_json = '1'"))
                .containsExactly("2 1 not this one");
        assertThat(table.stats()).singleElement().satisfies(stats -> {
            assertThat(stats.failed()).isEqualTo(1);
            assertThat(stats.pending()).isEqualTo(1);
        });

        broker.recovers();
        execute("UPDATE kafka_outbox SET errored = 0, push_attempts = 0 WHERE payload_json = '1'");
        clock.advance(Duration.ofSeconds(2));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("3", "1", "2");
    }

    @Test
    void with_skip_a_failed_message_lets_its_followers_go() {
        var relay =
                relay(open(Layouts.KAFKA_OUTBOX), route -> route.maxAttempts(1).onExhausted(OnExhausted.SKIP));
        insert("1", "A");
        insert("2", "A");
        broker.answers(refuse("1"));

        outlast(relay, 1);

        assertThat(broker.payloads()).containsExactly("2");
    }

    @Test
    void headers_that_are_no_json_fail_and_stop_nobody_else() {
        var relay = relay(open(Layouts.KAFKA_OUTBOX));
        execute("INSERT INTO kafka_outbox (topic, payload_json, payload_headers) VALUES ('orders', '1', '{no json')");
        insert("2", "");

        relay.drain();

        assertThat(broker.payloads()).containsExactly("2");
        assertThat(rows("SELECT errored FROM kafka_outbox WHERE payload_json = '1'"))
                .containsExactly("1");
    }

    @Test
    void five_relays_send_every_key_in_insertion_order_and_nothing_twice() throws Exception {
        var topics = List.of("orders", "invoices", "Orders", "parcels");
        var table = open(Layouts.KAFKA_OUTBOX);
        insertMany(1_000, topics);
        var relays = new ArrayList<Relay>();
        for (int i = 0; i < 5; i++) {
            relays.add(relay(open(Layouts.KAFKA_OUTBOX), route -> route, RelayOptions.DEFAULT.withBatchSize(50)));
        }
        var threads = Executors.newFixedThreadPool(5);
        try {
            for (var running : relays.stream()
                    .map(relay -> threads.submit(() -> {
                        for (int i = 0; i < 400 && broker.accepted().size() < 1_000; i++) {
                            relay.runOnce();
                        }
                    }))
                    .toList()) {
                running.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(table.stats()).isEmpty();
        assertThat(broker.payloads()).hasSize(1_000).doesNotHaveDuplicates();
        assertInOrder(broker.accepted());
    }

    @Test
    void a_claim_reads_what_it_returns_however_much_waits() {
        AdoptedTable table = open(Layouts.KAFKA_OUTBOX);
        insertMany(20_000, List.of("orders", "invoices", "parcels"));

        assertThat(rowsReadByClaim(table, "kafka_outbox", "parcels", 100)).isLessThan(2_000);
    }

    @Test
    void a_relay_that_lost_its_lease_settles_nothing() {
        AdoptedTable table = open(Layouts.KAFKA_OUTBOX);
        var frozen = relay(table);
        insert("1", "A");
        broker.answers(message -> {
            execute("UPDATE kafka_outbox_relay_lease SET token = token + 1");
            return new Outcome.Accepted();
        });

        frozen.runOnce();

        assertThat(rows("SELECT push_completed_at FROM kafka_outbox")).containsExactly("null");
    }

    @Test
    void large_payloads_come_in_batches_that_fit() {
        var relay = relay(open(Layouts.KAFKA_OUTBOX), route -> route, RelayOptions.DEFAULT.withBatchBytes(50_000));
        for (int i = 0; i < 10; i++) {
            insert("\"" + i + "x".repeat(i == 5 ? 200_000 : 20_000) + "\"", "A");
        }

        relay.drain();

        assertThat(broker.payloads())
                .extracting(payload -> payload.substring(1, 2))
                .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(broker.payloads().get(5)).hasSize(200_003);
    }

    @Test
    void rows_that_were_sent_are_removed_when_their_time_is_over() {
        AdoptedTable table = open(Layouts.KAFKA_OUTBOX);
        insert("1", "");
        relay(table).drain();
        insert("2", "");

        assertThat(table.removeDone(Duration.ofHours(1), 100)).isZero();
        assertThat(table.removeDone(Duration.ofMillis(-1), 100)).isEqualTo(1);
        assertThat(rows("SELECT payload_json FROM kafka_outbox")).containsExactly("2");
    }

    @Test
    void rows_that_were_given_up_are_counted_without_a_key_too() {
        AdoptedTable table = open(Layouts.KAFKA_OUTBOX);
        insert("1", "");
        insert("2", "");
        execute("UPDATE kafka_outbox SET errored = 1, push_attempts = 5 WHERE payload_json = '1'");

        assertThat(table.stats()).singleElement().satisfies(stats -> {
            assertThat(stats.failed()).isEqualTo(1);
            assertThat(stats.pending()).isEqualTo(1);
            assertThat(stats.maxAttempts()).isEqualTo(5);
        });
    }

    @Test
    void with_a_retention_of_nothing_rows_are_removed_as_they_are_sent() {
        AdoptedTable table = AdoptedTable.open(
                pool, Layouts.KAFKA_OUTBOX, AdoptedTable.Setup.EVERYTHING, clock.time(), "default", 1_000_000, false);
        insert("1", "A");
        insert("2", "");

        relay(table).drain();

        assertThat(broker.payloads()).containsExactly("1", "2");
        assertThat(rows("SELECT id FROM kafka_outbox")).isEmpty();
    }

    @Test
    void headers_that_are_null_are_none() {
        var relay = relay(open(Layouts.KAFKA_OUTBOX));
        execute("INSERT INTO kafka_outbox (topic, payload_json, payload_headers) VALUES ('orders', '1', 'null')");

        relay.drain();

        assertThat(broker.accepted())
                .singleElement()
                .satisfies(message -> assertThat(message.headers()).isEmpty());
    }

    @Test
    void what_the_old_relay_has_begun_to_send_waits_with_its_key() {
        open(Layouts.KAFKA_OUTBOX);
        insert("1", "A");
        insert("2", "A");
        insert("3", "B");
        insert("4", "");
        started("1", "4", minutesAgo(2));
        var relay = relay(open(Layouts.KAFKA_OUTBOX));
        relay.drain();
        assertThat(broker.payloads()).containsExactly("3");

        started("1", "4", minutesAgo(11));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("3", "1", "2", "4");
    }

    private void started(String first, String second, String at) {
        execute("UPDATE kafka_outbox SET batch_id = 'old', push_started_at = " + at + " WHERE payload_json IN ('"
                + first + "', '" + second + "')");
    }

    /** The time of the database, so many minutes ago. */
    public abstract String minutesAgo(int minutes);

    /** A list reads no payloads; what it names is found. */
    private static String payload(OutboxOperations operations, StoredMessage listed) {
        assertThat(listed.envelope().payload().size()).isZero();
        return operations
                .find(listed.envelope().id())
                .orElseThrow()
                .envelope()
                .payload()
                .asText();
    }

    @Test
    void an_operator_lists_replays_and_discards_rows() {
        AdoptedTable table = open(Layouts.KAFKA_OUTBOX);
        var operations = new OutboxOperations(table.admin());
        var relay = relay(table, route -> route.maxAttempts(1));
        insert("1", "A");
        insert("2", "A");
        insert("3", "");
        insert("4", "");
        broker.answers(message -> List.of("1", "3").contains(message.payload().asText())
                ? new Outcome.Refused("not this one")
                : new Outcome.Accepted());
        outlast(relay, 1);

        assertThat(operations.list(Selection.all(), 0, 100))
                .extracting(
                        message -> payload(operations, message),
                        StoredMessage::status,
                        StoredMessage::attempts,
                        StoredMessage::error)
                .containsExactly(
                        tuple("1", OutboxStatus.FAILED, 1, "not this one"),
                        tuple("2", OutboxStatus.HELD, 0, ""),
                        tuple("3", OutboxStatus.FAILED, 1, "not this one"),
                        tuple("4", OutboxStatus.DISPATCHED, 1, ""));
        assertThat(operations.list(Selection.all(), 2, 1))
                .extracting(StoredMessage::position)
                .containsExactly(3L);
        assertThat(operations.lastPosition()).isEqualTo(4);
        assertThat(operations.count(Selection.failed().withError("NOT this"))).isEqualTo(2);
        assertThat(operations.count(Selection.failed().inErrorGroup("not this")))
                .isZero();
        assertThat(operations.count(Selection.failed().inErrorGroup("not this one")))
                .isEqualTo(2);
        assertThat(operations.find(table.messageOf("3")))
                .hasValueSatisfying(message ->
                        assertThat(message.envelope().payload().asText()).isEqualTo("3"));

        broker.recovers();
        assertThat(operations.discard(Selection.of(List.of(table.messageOf("3"))), "old", done -> {}))
                .isEqualTo(1);
        assertThat(operations.replay(Selection.failed(), done -> {})).isEqualTo(1);
        relay.drain();

        assertThat(broker.payloads()).containsExactly("4", "1", "2");
        assertThat(rows("SELECT payload_json, errored FROM kafka_outbox ORDER BY id"))
                .containsExactly("1 0", "2 0", "4 0");
    }

    public abstract String keyColumn();

    private void insert(String payload, String key) {
        execute("INSERT INTO kafka_outbox (topic, payload_json, " + keyColumn() + ") VALUES ('orders', '" + payload
                + "', '" + key + "')");
    }

    private void insertMany(int count, List<String> topics) {
        var values = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            values.add("('" + topics.get(i % topics.size()) + "', '" + i + "', 'k" + i % 37 + "')");
        }
        execute("INSERT INTO kafka_outbox (topic, payload_json, " + keyColumn() + ") VALUES "
                + String.join(", ", values));
    }

    static void assertInOrder(List<Envelope> messages) {
        var last = new java.util.HashMap<String, Long>();
        for (var message : messages) {
            long number = Long.parseLong(message.payload().asText());
            String key = message.destination() + "/" + message.partitionKey();
            assertThat(number).as("after " + last.get(key) + " of " + key).isGreaterThan(last.getOrDefault(key, -1L));
            last.put(key, number);
        }
    }
}
