package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayOptions;
import io.waybill.store.OnExhausted;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Tables whose rows are sent under a lease, the same on each database. */
abstract class LayoutContract extends LayoutScenario {

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
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("k1", "p1", Map.of("a", "b")),
                        org.assertj.core.groups.Tuple.tuple("k2", "k2", Map.of()));
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

        assertThat(rowsReadByClaim(table, "parcels", 100)).isLessThan(2_000);
    }

    @Override
    String analyzed() {
        return "kafka_outbox";
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
    void outbox_messages_are_sent_once_they_are_available_and_marked_as_sent() {
        var relay = relay(open(Layouts.OUTBOX_MESSAGES));
        UUID id = UUID.randomUUID();
        execute(
                "INSERT INTO outbox_messages (id, event_type, payload, status) VALUES ('" + id
                        + "', 'OrderCreated', '{\"n\": 1}', 'pending')",
                "INSERT INTO outbox_messages (id, event_type, payload, available_at) VALUES ('" + UUID.randomUUID()
                        + "', 'OrderCreated', '{\"n\": 2}', " + inAnHour() + ")");

        relay.drain();

        assertThat(broker.accepted()).singleElement().satisfies(message -> {
            assertThat(message.id()).isEqualTo(id);
            assertThat(message.type()).isEqualTo("OrderCreated");
            assertThat(message.destination()).isEqualTo("OrderCreated");
            assertThat(message.payload().asText().replace(" ", "")).isEqualTo("{\"n\":1}");
        });
        assertThat(rows("SELECT status, attempts FROM outbox_messages WHERE sent_at IS NOT NULL"))
                .containsExactly("sent 0");
    }

    @Test
    void outbox_messages_that_are_refused_count_their_attempts_and_fail_in_the_end() {
        var relay = relay(open(Layouts.OUTBOX_MESSAGES), route -> route.maxAttempts(2));
        execute("INSERT INTO outbox_messages (id, event_type, payload) VALUES ('" + UUID.randomUUID()
                + "', 'OrderCreated', '1')");
        broker.answers(refuse("1"));

        relay.drain();

        assertThat(rows("SELECT status, attempts FROM outbox_messages WHERE available_at > created_at"))
                .containsExactly("pending 1");
        clock.advance(Duration.ofSeconds(3));
        relay.drain();
        assertThat(rows("SELECT status, attempts FROM outbox_messages")).containsExactly("failed 2");
    }

    @Test
    void a_debezium_row_is_removed_and_keeps_the_order_of_its_aggregate() {
        var relay = relay(open(Layouts.DEBEZIUM), route -> route.maxAttempts(2));
        for (int i = 1; i <= 4; i++) {
            execute("INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload) VALUES ('"
                    + UUID.randomUUID() + "', 'order', '" + (i < 4 ? "7" : "8") + "', 'OrderPlaced', '" + i + "')");
        }
        broker.answers(refuse("2"));
        outlast(relay, 2);

        assertThat(broker.payloads()).containsExactly("1", "4");
        assertThat(rows("SELECT payload FROM outboxevent ORDER BY sequence")).containsExactly("2", "3");
        assertThat(rows("SELECT state, attempts, last_error FROM outboxevent_relay_waiting"))
                .containsExactly("BLOCKED 2 not this one");

        broker.recovers();
        execute("DELETE FROM outboxevent_relay_waiting");
        relay.drain();

        assertThat(broker.payloads()).containsExactly("1", "4", "2", "3");
        assertThat(broker.accepted().get(0)).satisfies(message -> {
            assertThat(message.destination()).isEqualTo("order");
            assertThat(message.key()).isEqualTo("7");
            assertThat(message.type()).isEqualTo("OrderPlaced");
        });
        assertThat(rows("SELECT payload FROM outboxevent")).isEmpty();
    }

    @Test
    void any_table_is_served_by_a_mapping() {
        execute("CREATE TABLE events (event_no INT NOT NULL PRIMARY KEY, body VARCHAR(1000), customer VARCHAR(100),"
                + " state VARCHAR(10) NOT NULL)");
        execute("CREATE INDEX events_state ON events (state)");
        execute(
                "INSERT INTO events VALUES (1, 'one', 'c1', 'NEW'), (2, 'two', 'c1', 'NEW'), (3, 'three', NULL, 'OLD')");
        var relay = relay(AdoptedTable.open(pool, mapping("events"), AdoptedTable.Setup.BESIDE, clock.time()));

        relay.drain();

        assertThat(broker.accepted())
                .extracting(
                        Envelope::destination,
                        Envelope::partitionKey,
                        message -> message.payload().asText())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("shop", "c1", "one"),
                        org.assertj.core.groups.Tuple.tuple("shop", "c1", "two"));
        assertThat(rows("SELECT state FROM events ORDER BY event_no")).containsExactly("SENT", "SENT", "OLD");
    }

    @Test
    void a_table_that_does_not_fit_is_refused_with_everything_at_once_and_what_would_mend_it() {
        execute("CREATE TABLE events (event_no INT NOT NULL PRIMARY KEY, body INT, state VARCHAR(10) NOT NULL)");

        assertThatThrownBy(() -> AdoptedTable.open(pool, mapping("events"), AdoptedTable.Setup.BESIDE, clock.time()))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("no column customer (partition-key)")
                .hasMessageContaining("ALTER TABLE events ADD COLUMN customer VARCHAR(255);")
                .hasMessageContaining("column body of table events is int")
                .hasMessageContaining("ALTER TABLE events ");
    }

    @Test
    void a_missing_index_is_a_problem_with_its_statement_but_no_hindrance() {
        execute("CREATE TABLE events (event_no INT NOT NULL PRIMARY KEY, body VARCHAR(1000), customer VARCHAR(100),"
                + " state VARCHAR(10) NOT NULL)");
        var schema = new LayoutSchema(mapping("events"), dialect());
        AdoptedTable.open(pool, mapping("events"), AdoptedTable.Setup.BESIDE, clock.time());

        List<String> problems = schema.problems(pool);

        assertThat(problems).singleElement().asString().contains("no index", "CREATE INDEX events_ready ON events (");
        execute(problems.get(0).replaceFirst(".*(CREATE INDEX .*);$", "$1"));
        assertThat(schema.problems(pool)).isEmpty();
    }

    @Test
    void a_table_of_another_layout_is_recognised() {
        open(Layouts.KAFKA_OUTBOX.withTable("mail"));

        assertThatThrownBy(() -> open(Layouts.OUTBOX_MESSAGES.withTable("mail")))
                .hasMessageContaining("looks like a table of the layout kafka-outbox");
        assertThat(rows("SELECT count(*) FROM mail")).containsExactly("0");
    }

    @Test
    void a_missing_table_is_named() {
        assertThatThrownBy(() -> AdoptedTable.open(pool, mapping("nowhere"), AdoptedTable.Setup.BESIDE, clock.time()))
                .hasMessageContaining("There is no table nowhere");
    }

    @Test
    void a_key_without_an_order_is_said() {
        execute(
                "CREATE TABLE outboxevent (id VARCHAR(36) PRIMARY KEY, aggregatetype VARCHAR(255), aggregateid VARCHAR(255),"
                        + " type VARCHAR(255), payload VARCHAR(4000))");
        var schema = new LayoutSchema(Layouts.DEBEZIUM, dialect());
        var relay = relay(open(Layouts.DEBEZIUM));
        execute("INSERT INTO outboxevent VALUES ('" + UUID.randomUUID() + "', 'order', '7', 'OrderPlaced', '1')");

        relay.drain();

        assertThat(broker.accepted()).singleElement().satisfies(message -> {
            assertThat(message.key()).isEqualTo("7");
            assertThat(message.isOrdered()).isFalse();
        });
        assertThat(schema.problems(pool))
                .anySatisfy(problem -> assertThat(problem)
                        .contains("order of insertion", "ALTER TABLE outboxevent ADD COLUMN sequence"));
    }

    @Test
    void the_schema_of_every_layout_is_applied_once_by_many_at_once() throws Exception {
        for (String name : Layouts.NAMES) {
            var schema = new LayoutSchema(Layouts.named(name), dialect());
            var threads = Executors.newFixedThreadPool(4);
            try {
                for (var one : List.of(1, 2, 3, 4).stream()
                        .map(i -> threads.submit(() -> schema.apply(pool)))
                        .toList()) {
                    one.get();
                }
            } finally {
                threads.shutdown();
            }
            assertThat(schema.problems(pool)).as(name).isEmpty();
            assertThat(schema.print())
                    .contains("CREATE TABLE", Layouts.named(name).prefix() + "relay_lease");
        }
    }

    static Layout mapping(String table) {
        return new Layout(
                "mapping",
                table,
                Map.of(Meaning.ID, "event_no", Meaning.PAYLOAD, "body", Meaning.PARTITION_KEY, "customer"),
                Set.of(),
                "shop",
                Map.of("state", "NEW"),
                Map.of("state", "SENT"),
                Map.of("state", "FAILED"),
                Optional.empty(),
                Layout.Reading.PLAIN);
    }

    abstract io.waybill.jdbc.Dialect dialect();

    abstract String keyColumn();

    abstract String inAnHour();

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
