package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Symfony;
import io.waybill.jdbc.layout.schema.LayoutSchema;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.message.Envelope;
import io.waybill.ops.OutboxOperations;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.Selection;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of Symfony Messenger: what is passed on, claimed, refused and left alone. */
abstract class MessengerContract extends MessengerScenario {

    @Test
    void body_headers_name_and_id_are_passed_on_and_the_row_is_removed() {
        var relay = relay(open(PLAIN));
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at) VALUES ('{\"n\":1}', '"
                        + on().php("{\"type\":\"App\\\\Message\\\\OrderPlaced\",\"Content-Type\":\"application/json\","
                                + "\"X-Message-Stamp-Freyr\\\\MessageBroker\\\\Stamp\\\\MessageIdStamp\":"
                                + "\"[{\\\"messageId\\\":\\\"0197c1a2-7f3b-7cc1-8a5e-3f2d1c0b9a88\\\"}]\","
                                + "\"X-Message-Stamp-Freyr\\\\MessageBroker\\\\Stamp\\\\MessageNameStamp\":"
                                + "\"[{\\\"messageName\\\":\\\"order.placed\\\"}]\"}")
                        + "', 'outbox', " + utc(0) + ", " + utc(0) + ")");

        relay.drain();

        assertThat(broker.accepted()).singleElement().satisfies(message -> {
            assertThat(message.destination()).isEqualTo("outbox");
            assertThat(message.type()).isEqualTo("order.placed");
            assertThat(message.id()).hasToString("0197c1a2-7f3b-7cc1-8a5e-3f2d1c0b9a88");
            assertThat(message.headers())
                    .containsEntry("type", "order.placed")
                    .containsEntry("content-type", "application/json");
            assertThat(message.payload().asText()).isEqualTo("{\"n\":1}");
        });
        assertThat(rows("SELECT id FROM messenger_outbox")).isEmpty();
    }

    @Test
    void a_class_is_called_as_the_source_says_when_no_stamp_names_the_message() {
        var relay = relay(open(PLAIN.withTypes(Map.of("App\\Message\\OrderPlaced", "order.placed"))));
        for (String type : List.of("App\\\\Message\\\\OrderPlaced", "App\\\\Message\\\\Other")) {
            execute("INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at) VALUES ('{}', '"
                    + on().php("{\"type\":\"" + type + "\"}") + "', 'outbox', " + utc(0) + ", " + utc(0) + ")");
        }

        relay.drain();

        assertThat(broker.accepted()).extracting(Envelope::type).containsExactly("order.placed", "App\\Message\\Other");
        assertThat(broker.accepted())
                .extracting(message -> message.headers().get("type"))
                .containsExactly("order.placed", "App\\Message\\Other");
    }

    @Test
    void a_stamp_of_any_size_stops_nobody_else() {
        var relay = relay(open(PLAIN));
        String trace = "\\\\\\\"#".repeat(20_000);
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at) VALUES ('1', '"
                        + on().php("{\"type\":\"A\",\"X-Message-Stamp-Acme\\\\MessageNameStamp\":\"[{\\\"trace\\\":\\\""
                                + trace + "\\\"}]\"}")
                        + "', 'outbox', " + utc(0) + ", " + utc(0) + ")",
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at) VALUES ('2',"
                        + " '{\"X-Message-Stamp-MessageNameStamp\":\"no list\"}', 'outbox', " + utc(0) + ", " + utc(0)
                        + ")");
        insert("3", "outbox", 0, null);

        relay.drain();

        assertThat(broker.payloads()).containsExactly("1", "3");
        assertThat(rows("SELECT body FROM messenger_outbox WHERE queue_name = 'failed'"))
                .containsExactly("2");
    }

    @Test
    void what_a_worker_on_mariadb_has_acknowledged_is_done_and_holds_nobody_up() {
        AdoptedTable table = open(ORDERED);
        var relay = relay(table);
        insertKeyed(1, "A", 2, "A", 3, "B");
        execute("UPDATE messenger_outbox SET delivered_at = '9999-12-31 23:59:59' WHERE body IN ('1', '3')");

        assertThat(table.stats())
                .singleElement()
                .satisfies(stats -> assertThat(stats.pending()).isEqualTo(1));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("2");
        assertThat(table.removeDone(Duration.ofDays(7), 100)).isEqualTo(2);
        assertThat(rows("SELECT body FROM messenger_outbox")).isEmpty();
    }

    @Test
    void rows_of_other_queues_delayed_rows_and_fresh_claims_are_left_alone() {
        var relay = relay(open(PLAIN));
        insert("1", "failed", 0, null);
        insert("2", "outbox", 3600, null);
        insert("3", "outbox", 0, -10);
        insert("4", "outbox", 0, -700);
        insert("5", "outbox", 0, null);

        relay.drain();

        assertThat(broker.payloads()).containsExactly("4", "5");
    }

    @Test
    void setup_adds_the_key_and_its_index_to_a_table_that_is_there() {
        open(PLAIN);
        insert("1", "outbox", 0, null);

        var relay = relay(open(ORDERED));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("1");
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, partition_key) VALUES"
                        + " ('2', '[]', 'outbox', " + utc(0) + ", " + utc(0) + ", 'A')");
        relay.drain();
        assertThat(broker.accepted().get(1).partitionKey()).isEqualTo("A");
    }

    @Test
    void a_key_that_symfonys_setup_has_dropped_is_said_and_comes_back() throws Exception {
        open(ORDERED);
        var symfony = Symfony.on(database);
        symfony.run("setup", "messenger_outbox", "outbox", "json", "UTC");

        assertKeyIsMended();
    }

    @Test
    void a_key_that_somebody_has_dropped_is_said_and_comes_back() {
        open(ORDERED);
        execute("ALTER TABLE messenger_outbox DROP COLUMN partition_key");

        assertKeyIsMended();
    }

    private void assertKeyIsMended() {
        var schema = new LayoutSchema(ORDERED, JdbcStore.on(pool).dialect());
        assertThat(schema.problems(pool))
                .anySatisfy(problem -> assertThat(problem)
                        .contains("no column partition_key", "messenger:setup-transports", "ALTER TABLE"));

        schema.apply(pool);

        assertThat(schema.problems(pool)).isEmpty();
        var relay = relay(open(ORDERED));
        insertKeyed(1, "A");
        relay.drain();
        assertThat(broker.accepted().get(0).partitionKey()).isEqualTo("A");
    }

    @Test
    void what_failed_in_php_is_counted_apart_and_never_replayed() {
        AdoptedTable table = open(PLAIN);
        insert("1", "failed", 0, null);
        insert("2", "failed", 0, null);
        execute(
                "UPDATE messenger_outbox SET headers = '{\"X-Message-Stamp-SentToFailureTransportStamp\":\"[]\"}' WHERE body"
                        + " = '2'");

        assertThat(table.stats())
                .extracting(DestinationStats::destination, DestinationStats::failed)
                .containsExactly(tuple("failed", 1L), tuple("outbox", 1L));
        assertThat(new OutboxOperations(table.admin()).replay(Selection.failed(), done -> {}))
                .isEqualTo(1);
        relay(table).drain();

        assertThat(broker.payloads()).containsExactly("1");
        assertThat(rows("SELECT body FROM messenger_outbox")).containsExactly("2");
    }

    @Test
    void a_claim_is_there_for_others_to_see_while_a_message_is_sent() {
        var relay = relay(open(PLAIN));
        insert("1", "outbox", 0, null);
        List<String> seen = new ArrayList<>();
        broker.answers(message -> {
            seen.addAll(rows("SELECT count(*) FROM messenger_outbox WHERE delivered_at >= " + utc(-5)));
            return new Outcome.Accepted();
        });

        relay.drain();

        assertThat(seen).containsExactly("1");
    }

    @Test
    void a_claim_is_kept_alive_while_a_message_is_sent() {
        Relay relay = relay(open(ORDERED));
        insertKeyed(1, "A");
        List<String> fresh = new ArrayList<>();
        broker.answers(message -> {
            execute("UPDATE messenger_outbox SET delivered_at = " + utc(-590));
            clock.advance(Duration.ofSeconds(201));
            relay.keepAlive();
            fresh.addAll(rows("SELECT count(*) FROM messenger_outbox WHERE delivered_at > " + utc(-60)));
            return new Outcome.Accepted();
        });

        relay.runOnce();

        assertThat(fresh).containsExactly("1");
    }

    @Test
    void claims_are_taken_back_when_the_destination_is_away() {
        AdoptedTable table = open(ORDERED);
        var relay = relay(table);
        insertKeyed(1, "A", 2, "B");
        broker.answers(message -> new Outcome.Unavailable("away"));

        relay.runOnce();
        assertThat(rows("SELECT id FROM messenger_outbox WHERE delivered_at IS NOT NULL"))
                .isEmpty();

        clock.advance(Duration.ofSeconds(5));
        relay.runOnce();
        table.close();
        assertThat(rows("SELECT id FROM messenger_outbox WHERE delivered_at IS NOT NULL"))
                .isEmpty();
    }

    @Test
    void a_claim_stays_as_long_as_a_slow_broker_has_its_message() {
        AdoptedTable table = open(ORDERED);
        insertKeyed(1, "A");
        var answer = new CountDownLatch(1);
        broker.answers(message -> {
            awaitQuietly(answer);
            return new Outcome.Unavailable("away");
        });
        RelayOptions often = RelayOptions.DEFAULT.withSweepInterval(Duration.ofMillis(20));
        try (RelayLoop loop = RelayLoop.start(relay(table, route -> route, often), often)) {
            await().until(() -> claimed() == 1);
            // Many sweeps, which do not know what became of it.
            await().during(Duration.ofMillis(500)).until(() -> claimed() == 1);

            answer.countDown();
            await().until(() -> claimed() == 0);
            assertThat(loop.isAlive()).isTrue();
        }
        assertThat(broker.accepted()).isEmpty();
    }

    private int claimed() {
        return rows("SELECT id FROM messenger_outbox WHERE delivered_at IS NOT NULL")
                .size();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_refused_message_is_free_again_later_and_its_key_waits() {
        var relay = relay(open(ORDERED), route -> route.maxAttempts(2));
        insertKeyed(1, "A", 2, "A", 3, "B");
        broker.answers(refuse("1"));

        relay.drain();

        assertThat(broker.payloads()).containsExactly("3");
        assertThat(rows("SELECT body FROM messenger_outbox WHERE delivered_at IS NULL AND available_at > created_at"))
                .containsExactly("1");
        clock.advance(Duration.ofSeconds(5));
        relay.drain();
        assertThat(rows("SELECT queue_name FROM messenger_outbox WHERE body = '1'"))
                .containsExactly("failed");
        assertThat(broker.payloads()).containsExactly("3");

        broker.recovers();
        execute("UPDATE messenger_outbox SET queue_name = 'outbox', available_at = created_at WHERE body = '1'");
        clock.advance(Duration.ofSeconds(5));
        relay.drain();
        assertThat(broker.payloads()).containsExactly("3", "1", "2");
    }

    @Test
    void why_a_message_without_a_key_failed_is_listed_and_it_goes_on_when_its_mark_is_taken_away() {
        AdoptedTable table = open(ORDERED);
        var relay = relay(table, route -> route.maxAttempts(2));
        insertKeyed(1, "", 2, "");
        broker.answers(refuse("1"));
        outlast(relay, 2);
        assertThat(table.admin().list(Selection.failed(), 0, 10))
                .singleElement()
                .satisfies(failed -> {
                    assertThat(failed.error()).isEqualTo("not this one");
                    assertThat(failed.attempts()).isEqualTo(2);
                });
        assertThat(table.stats()).singleElement().satisfies(stats -> {
            assertThat(stats.failed()).isEqualTo(1);
            assertThat(stats.pending()).isZero();
        });

        execute("UPDATE messenger_outbox SET queue_name = 'outbox', available_at = created_at WHERE body = '1'");
        relay.drain();
        assertThat(rows("SELECT queue_name FROM messenger_outbox WHERE body = '1'"))
                .as("its attempts begin anew")
                .containsExactly("outbox");
        broker.recovers();
        clock.advance(Duration.ofSeconds(5));
        relay.drain();
        relay.drain();

        assertThat(broker.payloads()).containsExactly("2", "1");
        assertThat(rows("SELECT row_id FROM " + ORDERED.prefix() + "relay_waiting"))
                .isEmpty();
    }

    @Test
    void a_claim_reads_what_it_returns_however_much_waits() {
        AdoptedTable table = open(ORDERED);
        insertMany(20_000);

        assertThat(rowsReadByClaim(table, "messenger_outbox", "outbox", 100)).isLessThan(3_000);
    }

    @Test
    void a_transport_is_described_by_its_url() {
        MessengerDsn plain = MessengerDsn.parse("doctrine://default?queue_name=outbox&auto_setup=false");
        MessengerDsn ordered =
                MessengerDsn.parse("ordered-doctrine://shop?table_name=mails&queue_name=q&redeliver_timeout=30");

        assertThat(plain.autoSetup()).isFalse();
        assertThat(plain.layout()).isEqualTo(Layouts.messenger("messenger_messages", "outbox", Duration.ofHours(1)));
        assertThat(ordered.autoSetup()).isTrue();
        assertThat(ordered.layout()).isEqualTo(Layouts.messengerOrdered("mails", "q", Duration.ofSeconds(30)));
        assertThat(ordered.creates()).isFalse();
        assertThat(MessengerDsn.parse("doctrine://default").creates()).isTrue();
        assertThat(MessengerDsn.parse("doctrine://default?table_name=mails&auto_setup=yes&use_notify=no")
                        .creates())
                .isTrue();
        assertThat(MessengerDsn.parse("doctrine://default?auto_setup=no").autoSetup())
                .isFalse();
        assertThatThrownBy(() -> MessengerDsn.parse("doctrine://default?table=x"))
                .hasMessageContaining("table_name");
        assertThatThrownBy(() -> MessengerDsn.parse("doctrine://default?redeliver_timeout=soon"))
                .hasMessageContaining("soon");
    }

    private void insert(String body, String queue, int availableIn, @Nullable Integer delivered) {
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, delivered_at) VALUES ('"
                        + body + "', '[]', '" + queue + "', " + utc(0) + ", " + utc(availableIn) + ", "
                        + (delivered == null ? "NULL" : utc(delivered)) + ")");
    }
}
