package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.jdbc.layout.schema.LayoutSchema;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.message.Envelope;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.admin.Selection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What differs between layouts, and how a table is checked, created and brought up to date. */
abstract class LayoutTablesContract extends LayoutScenario {

    abstract Dialect dialect();

    abstract String inAnHour();

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

        assertThat(rows("SELECT status, attempts FROM outbox_messages WHERE available_at IS NOT NULL"))
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
    void setup_adds_to_a_kafka_outbox_of_earlier_days_what_it_lacks() {
        execute("CREATE TABLE kafka_outbox (id BIGINT NOT NULL PRIMARY KEY, topic VARCHAR(255) NOT NULL,"
                + " payload_json VARCHAR(4000) NOT NULL)");
        execute("INSERT INTO kafka_outbox VALUES (1, 'orders', '1'), (2, 'orders', '2')");

        relay(open(Layouts.KAFKA_OUTBOX)).drain();
        open(Layouts.KAFKA_OUTBOX);

        assertThat(broker.accepted())
                .extracting(message -> message.payload().asText())
                .containsExactly("1", "2");
        assertThat(rows("SELECT push_attempts FROM kafka_outbox WHERE push_completed_at IS NOT NULL"))
                .containsExactly("1", "1");
        assertThat(new LayoutSchema(Layouts.KAFKA_OUTBOX, dialect()).problems(pool))
                .isEmpty();
    }

    @Test
    void a_table_of_somebody_else_that_has_the_name_is_left_alone() {
        execute("CREATE TABLE kafka_outbox (id BIGINT NOT NULL PRIMARY KEY, topic VARCHAR(255) NOT NULL)");

        assertThatThrownBy(() -> open(Layouts.KAFKA_OUTBOX)).hasMessageContaining("no column payload_json");
        assertThatThrownBy(() -> execute("SELECT push_attempts FROM kafka_outbox"))
                .hasMessageContaining("push_attempts");
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

    @Test
    void wrong_types_are_found_at_the_start_in_a_sentence() {
        String columns =
                "id BIGINT NOT NULL PRIMARY KEY, topic VARCHAR(255) NOT NULL, payload_json VARCHAR(4000) NOT NULL";
        execute("CREATE TABLE kafka_outbox (" + columns + ", errored " + bool() + ", created_at BIGINT)");
        execute(
                "CREATE TABLE outbox_messages (id CHAR(36) NOT NULL PRIMARY KEY, event_type VARCHAR(100), payload VARCHAR(1000),"
                        + " status INT NOT NULL, attempts INT NOT NULL, available_at BIGINT, created_at BIGINT, sent_at BIGINT)");

        if (dialect() != Dialect.MARIADB) {
            assertThatThrownBy(() -> open(Layouts.KAFKA_OUTBOX))
                    .hasMessageContaining("column errored of table kafka_outbox is bool")
                    .hasMessageContaining("writes the number 1 to it");
        }
        assertThatThrownBy(
                        () -> AdoptedTable.open(pool, Layouts.OUTBOX_MESSAGES, AdoptedTable.Setup.BESIDE, clock.time()))
                .hasMessageContaining("column created_at of table outbox_messages is")
                .hasMessageContaining("column available_at of table outbox_messages is")
                .hasMessageContaining("column sent_at of table outbox_messages is")
                .hasMessageContaining("column status of table outbox_messages is int")
                .hasMessageContaining("it must be text");
    }

    abstract String bool();

    @Test
    void a_statement_that_adds_a_key_can_be_run_as_it_is_said() {
        execute("CREATE TABLE kafka_outbox (id BIGINT NOT NULL PRIMARY KEY, topic VARCHAR(255) NOT NULL,"
                + " payload_json VARCHAR(4000) NOT NULL)");

        new LayoutSchema(Layouts.KAFKA_OUTBOX, dialect())
                .problems(pool).stream()
                        .filter(problem -> problem.contains("ADD COLUMN"))
                        .forEach(problem -> execute(problem.replaceFirst(".*(ALTER TABLE .*);$", "$1")));

        assertThat(rows("SELECT count(*) FROM kafka_outbox")).containsExactly("0");
    }

    @Test
    void aggregates_with_a_sequence_keep_its_order_without_a_mapping() {
        open(Layouts.OUTBOX_MESSAGES);
        execute("ALTER TABLE outbox_messages ADD COLUMN aggregate_id VARCHAR(36)");
        assertThat(new LayoutSchema(Layouts.OUTBOX_MESSAGES, dialect()).problems(pool))
                .singleElement()
                .asString()
                .contains("order of insertion", "ADD COLUMN sequence");
        execute("ALTER TABLE outbox_messages ADD COLUMN sequence BIGINT");
        var relay = relay(open(Layouts.OUTBOX_MESSAGES));
        for (int i = 4; i > 0; i--) {
            execute("INSERT INTO outbox_messages (id, event_type, payload, aggregate_id, sequence) VALUES ('"
                    + UUID.randomUUID() + "', 'OrderChanged', '" + i + "', '" + (i < 4 ? "7" : "8") + "', " + i + ")");
        }
        broker.answers(refuse("2"));
        relay.drain();
        assertThat(broker.payloads()).containsExactly("1", "4");
        assertThat(broker.accepted().get(0).partitionKey()).isEqualTo("7");

        broker.recovers();
        clock.advance(Duration.ofSeconds(61));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("1", "4", "2", "3");
    }

    @Test
    void records_of_namastack_are_sent_in_the_order_of_their_key_and_can_be_read_by_it_again() {
        AdoptedTable table = open(Layouts.OUTBOX_RECORD);
        var relay = relay(table, route -> route.maxAttempts(1));
        record("1", "A", "2026-01-01 00:00:01", "2026-01-01 00:00:01");
        record("2", "A", "2026-01-01 00:00:02", "2026-01-01 00:00:02");
        record("3", "B", "2026-01-01 00:00:03", "2026-01-01 00:00:03");
        record("4", "B", "2026-01-01 00:00:04", "2099-01-01 00:00:00");
        broker.answers(refuse("1"));
        outlast(relay, 1);

        assertThat(broker.accepted()).singleElement().satisfies(message -> {
            assertThat(message.payload().asText()).isEqualTo("3");
            assertThat(message.destination()).isEqualTo("shop.OrderPlaced");
            assertThat(message.key()).isEqualTo("B");
            assertThat(message.headers()).containsEntry("tenant", "t1");
        });
        assertThat(rows("SELECT status, failure_count, failure_reason FROM outbox_record ORDER BY created_at"))
                .containsExactly("FAILED 1 not this one", "NEW 0 null", "COMPLETED 0 null", "NEW 0 null");

        broker.recovers();
        new OutboxOperations(table.admin()).replay(Selection.failed(), done -> {});
        relay.drain();

        assertThat(broker.payloads()).containsExactly("3", "1", "2");
        assertThat(rows("SELECT status FROM outbox_record ORDER BY created_at"))
                .containsExactly("COMPLETED", "COMPLETED", "COMPLETED", "NEW");
    }

    private void record(String payload, String key, String created, String next) {
        execute(SampleRows.record(key, "'" + payload + "'", created, next));
    }

    @Test
    void a_table_whose_name_was_given_is_not_created() {
        assertThatThrownBy(() -> AdoptedTable.open(
                        pool, Layouts.KAFKA_OUTBOX.withTable("kafka_outbx"), AdoptedTable.Setup.UPGRADE, clock.time()))
                .hasMessageContaining("There is no table kafka_outbx")
                .hasMessageContaining("--table kafka_outbx");
        assertThatThrownBy(() -> execute("SELECT 1 FROM kafka_outbx_relay_lease"))
                .isInstanceOf(IllegalStateException.class);
    }

    static Layout mapping(String table) {
        return new Layout(
                "mapping",
                table,
                Map.of(
                        ColumnMeaning.ID,
                        "event_no",
                        ColumnMeaning.PAYLOAD,
                        "body",
                        ColumnMeaning.PARTITION_KEY,
                        "customer"),
                Set.of(),
                "shop",
                Map.of("state", "NEW"),
                Map.of("state", "SENT"),
                Map.of("state", "FAILED"),
                Optional.empty(),
                Layout.Reading.PLAIN);
    }
}
