package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.RelayOptions;
import io.waybill.transport.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Tables of Symfony Messenger, from which PHP workers take rows too. */
abstract class MessengerContract extends LayoutScenario {

    private static final Layout ORDERED =
            Layouts.messengerOrdered("messenger_outbox", "outbox", Duration.ofMinutes(10));
    private static final Layout PLAIN = Layouts.messenger("messenger_outbox", "outbox", Duration.ofMinutes(10));

    /** The time in UTC, as PHP writes it, so many seconds from now. */
    abstract String utc(int seconds);

    @Test
    void body_headers_name_and_id_are_passed_on_and_the_row_is_removed() {
        var relay = relay(open(PLAIN));
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at) VALUES ('{\"n\":1}', '"
                        + php("{\"type\":\"App\\\\Message\\\\OrderPlaced\",\"Content-Type\":\"application/json\","
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
                    .containsEntry("type", "App\\Message\\OrderPlaced")
                    .containsEntry("content-type", "application/json");
            assertThat(message.payload().asText()).isEqualTo("{\"n\":1}");
        });
        assertThat(rows("SELECT id FROM messenger_outbox")).isEmpty();
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
    void nothing_of_a_key_overtakes_a_row_that_a_worker_holds() throws SQLException {
        var relay = relay(open(ORDERED));
        insertKeyed(1, "A", 2, "A");
        var worker = worker();
        PhpWorker.Row held = worker.claim(row -> {}).orElseThrow();
        insertKeyed(3, "B", 4, "");

        relay.drain();

        assertThat(held.body()).isEqualTo("1");
        assertThat(broker.payloads()).containsExactlyInAnyOrder("3", "4");
        worker.acknowledge(held);
        relay.drain();
        assertThat(broker.payloads()).endsWith("2");
    }

    @Test
    void nothing_of_a_key_overtakes_a_row_that_a_worker_is_about_to_hold() throws SQLException {
        var relay = relay(open(ORDERED));
        insertKeyed(1, "A", 2, "A");
        var worker = worker();

        PhpWorker.Row held = worker.claim(row -> {
                    insertKeyed(3, "B");
                    relay.drain();
                })
                .orElseThrow();

        assertThat(held.body()).isEqualTo("1");
        assertThat(broker.payloads()).containsExactly("3");
        worker.acknowledge(held);
        relay.drain();
        assertThat(broker.payloads()).containsExactly("3", "2");
    }

    @Test
    void the_claim_of_a_crashed_worker_is_sent_after_the_timeout_before_its_followers() {
        var relay = relay(open(ORDERED));
        insertKeyed(1, "A", 2, "A");
        execute("UPDATE messenger_outbox SET delivered_at = " + utc(-590) + " WHERE body = '1'");
        relay.drain();
        assertThat(broker.payloads()).isEmpty();

        execute("UPDATE messenger_outbox SET delivered_at = " + utc(-610) + " WHERE body = '1'");
        relay.drain();

        assertThat(broker.payloads()).containsExactly("1", "2");
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
    void five_relays_send_every_key_in_insertion_order_and_nothing_twice() throws Exception {
        open(ORDERED);
        insertMany(1_000);
        List<Callable<Void>> relays = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            var relay = relay(open(ORDERED), route -> route, RelayOptions.DEFAULT.withBatchSize(50));
            relays.add(() -> {
                for (int round = 0; round < 1_000 && broker.accepted().size() < 1_000; round++) {
                    relay.runOnce();
                }
                return null;
            });
        }
        runAll(relays);

        assertThat(broker.payloads()).hasSize(1_000).doesNotHaveDuplicates();
        LayoutContract.assertInOrder(broker.accepted());
        assertThat(rows("SELECT id FROM messenger_outbox")).isEmpty();
    }

    @Test
    void relays_beside_php_workers_never_overtake_a_row_that_a_worker_holds() throws Exception {
        open(ORDERED);
        insertMany(600);
        Map<String, Set<Long>> held = new ConcurrentHashMap<>();
        var overtaken = new ConcurrentLinkedQueue<String>();
        var byPhp = new ConcurrentLinkedQueue<Long>();
        var taken = new ConcurrentLinkedQueue<Long>();
        Set<Long> done = ConcurrentHashMap.newKeySet();
        broker.answers(message -> {
            long number = number(message);
            done.add(number);
            held.getOrDefault(message.partitionKey(), Set.of()).stream()
                    .filter(other -> other < number)
                    .forEach(other -> overtaken.add(number + " went before " + other));
            return new Outcome.Accepted();
        });
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            var relay = relay(open(ORDERED), route -> route, RelayOptions.DEFAULT.withBatchSize(20));
            all.add(() -> {
                for (int round = 0; round < 2_000 && done.size() < 600; round++) {
                    relay.runOnce();
                }
                return null;
            });
        }
        for (int i = 0; i < 2; i++) {
            var worker = worker();
            all.add(() -> {
                for (int round = 0; round < 2_000 && done.size() < 600; round++) {
                    var claimed = worker.claim(row -> {
                        if (!row.taken()) {
                            held.computeIfAbsent(row.key(), none -> ConcurrentHashMap.newKeySet())
                                    .add(Long.parseLong(row.body()));
                        }
                    });
                    if (claimed.isPresent()) {
                        PhpWorker.Row row = claimed.get();
                        done.add(Long.parseLong(row.body()));
                        (row.taken() ? taken : byPhp).add(Long.parseLong(row.body()));
                        held.getOrDefault(row.key(), new HashSet<>()).remove(Long.parseLong(row.body()));
                        worker.acknowledge(row);
                    }
                }
                return null;
            });
        }
        runAll(all);

        assertThat(overtaken).isEmpty();
        assertThat(done).hasSize(600);
        assertThat(byPhp).isNotEmpty();
        List<Long> byUs =
                broker.accepted().stream().map(MessengerContract::number).toList();
        assertThat(byUs).doesNotHaveDuplicates();
        // What their statement takes although we hold it is sent by both: apart from that, each message has one sender.
        List<Long> sent = new ArrayList<>(byUs);
        sent.addAll(byPhp);
        sent.removeAll(taken);
        assertThat(sent).doesNotHaveDuplicates();
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
        assertThatThrownBy(() -> MessengerDsn.parse("doctrine://default?table=x"))
                .hasMessageContaining("table_name");
        assertThatThrownBy(() -> MessengerDsn.parse("doctrine://default?redeliver_timeout=soon"))
                .hasMessageContaining("soon");
    }

    private PhpWorker worker() {
        return new PhpWorker(pool, utc(0), utc(-600));
    }

    private static long number(Envelope message) {
        return Long.parseLong(message.payload().asText());
    }

    /** As a string literal that keeps its backslashes. */
    abstract String php(String json);

    private void insert(
            String body, String queue, int availableIn, @org.jspecify.annotations.Nullable Integer delivered) {
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, delivered_at) VALUES ('"
                        + body + "', '[]', '" + queue + "', " + utc(0) + ", " + utc(availableIn) + ", "
                        + (delivered == null ? "NULL" : utc(delivered)) + ")");
    }

    private void insertKeyed(Object... numbersAndKeys) {
        for (int i = 0; i < numbersAndKeys.length; i += 2) {
            execute("INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, partition_key)"
                    + " VALUES ('" + numbersAndKeys[i] + "', '[]', 'outbox', " + utc(-1) + ", " + utc(-1) + ", '"
                    + numbersAndKeys[i + 1] + "')");
        }
    }

    private void insertMany(int count) {
        var values = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            values.add("('" + i + "', '[]', 'outbox', " + utc(-1) + ", " + utc(-1) + ", 'k" + i % 29 + "')");
        }
        execute(
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, partition_key) VALUES "
                        + String.join(", ", values));
    }

    private static void runAll(List<Callable<Void>> work) throws Exception {
        var threads = Executors.newFixedThreadPool(work.size());
        try {
            for (var running : threads.invokeAll(work)) {
                running.get();
            }
        } finally {
            threads.shutdown();
        }
    }
}
