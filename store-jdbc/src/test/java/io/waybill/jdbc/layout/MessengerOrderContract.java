package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.relay.route.RelayOptions;
import io.waybill.transport.Outcome;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** What relays and PHP workers that take from one table promise each other: nothing of a key overtakes. */
abstract class MessengerOrderContract extends MessengerScenario {

    private static final int ROWS = Integer.getInteger("messenger.rows", 600);

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
    void relays_beside_php_workers_never_overtake_a_row_that_a_worker_holds(TestReporter reporter) throws Exception {
        open(ORDERED);
        insertMany(ROWS);
        var passing = new ConcurrentLinkedQueue<Long>();
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
                for (int round = 0; round < 2_000 && done.size() < ROWS; round++) {
                    relay.runOnce();
                }
                return null;
            });
        }
        for (int i = 0; i < 2; i++) {
            var worker = worker();
            all.add(() -> {
                for (int round = 0; round < 2_000 && done.size() < ROWS; round++) {
                    var claimed = worker.claim(row -> {
                        if (hasEarlier(row, done, held)) {
                            passing.add(Long.parseLong(row.body()));
                        }
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

        // What PHP workers do to relays is not in our hands: no lock that their statement respects holds back a key.
        reporter.publishEntry(
                "rows of " + ROWS + " that PHP took before an earlier one of their key", "" + passing.size());
        assertThat(overtaken).isEmpty();
        assertThat(done).hasSize(ROWS);
        assertThat(byPhp).isNotEmpty();
        List<Long> byUs =
                broker.accepted().stream().map(MessengerOrderContract::number).toList();
        assertThat(byUs).doesNotHaveDuplicates();
        // What their statement takes although we hold it is sent by both: apart from that, each message has one sender.
        List<Long> sent = new ArrayList<>(byUs);
        sent.addAll(byPhp);
        sent.removeAll(taken);
        assertThat(sent).doesNotHaveDuplicates();
    }

    /** Whether a relay has, or nobody yet, what comes before this row in its key: their statement does not ask. */
    private static boolean hasEarlier(PhpWorker.Row row, Set<Long> done, Map<String, Set<Long>> held) {
        for (long earlier = Long.parseLong(row.body()) - KEYS; earlier >= 0; earlier -= KEYS) {
            if (!done.contains(earlier)
                    && !held.getOrDefault(row.key(), Set.of()).contains(earlier)) {
                return true;
            }
        }
        return false;
    }

    private PhpWorker worker() {
        return new PhpWorker(pool, utc(0), utc(-600));
    }

    private static long number(Envelope message) {
        return Long.parseLong(message.payload().asText());
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
