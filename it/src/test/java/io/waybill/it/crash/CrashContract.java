package io.waybill.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.testkit.OrderCheck;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds when a relay's process is killed or frozen. */
abstract class CrashContract {

    private static final Duration LEASE_TIME = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** How often a process is killed: a few times in every build, more with -Pfull. */
    private static final int KILLS = Integer.getInteger("waybill.it.kills", 4);

    private static final int FREEZES = Integer.getInteger("waybill.it.freezes", 4);

    private TestDatabase database;
    private JdbcStore store;
    private LineBroker broker;
    private int appended;

    abstract TestDatabase newDatabase();

    @SuppressWarnings("NullAway.Init")
    CrashContract() {}

    @BeforeEach
    void start() throws Exception {
        database = newDatabase();
        store = JdbcStore.on(database.dataSource()).initializeSchema();
        broker = LineBroker.start();
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
        database.close();
    }

    @Test
    void a_relay_that_is_killed_again_and_again_loses_nothing_and_reorders_nothing() throws Exception {
        int total = 5_000;
        append(total, 50);
        var random = new Random(1);
        for (int kills = 0; kills < KILLS; kills++) {
            try (var relay = RelayProcess.start(database, broker, LEASE_TIME)) {
                int target = Math.min(total, broker.accepted().size() + 1 + random.nextInt(total / (KILLS + 1)));
                await().atMost(PATIENCE).until(() -> broker.accepted().size() >= target);
                relay.kill();
            }
        }
        try (var last = RelayProcess.start(database, broker, LEASE_TIME)) {
            await().atMost(PATIENCE).until(() -> waiting() == 0);
            assertThat(last.isAlive()).isTrue();
        }

        var check = check(broker.accepted(), total);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
        // What was sent and not yet settled when the process died is sent again: at most two batches each time.
        assertThat(check.repeated()).isLessThanOrEqualTo(KILLS * 2 * 2_000);
    }

    /** Nothing but Waybill keeps the JVM of the relay alive: its main method has returned. */
    @Test
    void a_relay_that_is_terminated_gives_its_shards_back_at_once() throws Exception {
        append(100, 10);
        try (var relay = RelayProcess.start(database, broker, Duration.ofMinutes(5))) {
            await().atMost(PATIENCE).until(() -> waiting() == 0);
            assertThat(ownedShards()).isEqualTo(64);

            assertThat(relay.terminate()).as("128 + SIGTERM").isEqualTo(143);
        }
        assertThat(ownedShards()).isZero();
    }

    private long ownedShards() throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM relay_lease WHERE owner <> ''")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void a_relay_that_was_frozen_and_taken_over_sends_at_most_the_request_that_was_under_way() throws Exception {
        int total = 400;
        append(total, 20);
        int sentBefore = 100;
        // A process goes on for a moment after the signal, so the answer waits until it stands still for certain.
        var answer = new CountDownLatch(1);
        try (var frozen = RelayProcess.start(database, broker, LEASE_TIME);
                var otherBroker = LineBroker.start()) {
            broker.beforeAcknowledging(message -> {
                if (broker.accepted().size() == sentBefore) {
                    frozen.freeze();
                    await().atMost(PATIENCE).until(() -> answer.getCount() == 0);
                }
            });
            await().atMost(PATIENCE).until(() -> broker.accepted().size() == sentBefore);
            try (var healthy = RelayProcess.start(database, otherBroker, LEASE_TIME)) {
                await().atMost(PATIENCE).until(() -> waiting() == 0);
                answer.countDown();
                frozen.thaw();
                append(50, 20);
                await().atMost(PATIENCE).until(() -> waiting() == 0);
                assertThat(healthy.isAlive()).isTrue();
                assertThat(frozen.isAlive()).isTrue();
            }
            List<Envelope> fromTheFrozen = broker.accepted();
            var seen = new ArrayList<>(fromTheFrozen.subList(0, sentBefore));
            seen.addAll(otherBroker.accepted());
            assertThat(fromTheFrozen.stream()
                            .skip(sentBefore)
                            .filter(message -> !message.payload().asText().contains("later")))
                    .as("sent by the frozen relay after it was taken over")
                    .isEmpty();
            assertThat(check(seen, total).violations()).isEmpty();
        }
    }

    /** Longer than messages may be sent without a renewal, and shorter than the shards stay the relay's: nobody takes over. */
    @Test
    void a_relay_that_is_frozen_again_and_again_for_less_than_its_lease_reorders_nothing() throws Exception {
        int total = 3_000;
        append(total, 10);
        var random = new Random(4);
        broker.beforeAcknowledging(
                message -> LockSupport.parkNanos(Duration.ofMillis(2).toNanos()));
        try (var relay = RelayProcess.start(database, broker, LEASE_TIME);
                var other = RelayProcess.start(database, broker, LEASE_TIME)) {
            for (int i = 0; i < FREEZES && waiting() > 0; i++) {
                int sent = broker.accepted().size();
                await().atMost(PATIENCE).until(() -> broker.accepted().size() > sent + 20 || waiting() == 0);
                RelayProcess victim = i % 2 == 0 ? relay : other;
                victim.freeze();
                LockSupport.parkNanos((long) (LEASE_TIME.toNanos() * (0.5 + 0.5 * random.nextDouble())));
                victim.thaw();
            }
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }

        var check = check(broker.accepted(), total);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    @Test
    void a_message_that_ends_the_process_fails_after_its_attempts_and_the_rest_goes_on() throws Exception {
        append(10, 2);
        store.transactions()
                .inTransaction(transaction -> store.outbox()
                        .append(Message.event("Poison", "\"halt\"")
                                .to("orders.placed")
                                .inOrderOf("poisoned")));
        append(10, 2);

        int ended = 0;
        while (failed() == 0) {
            try (var relay = RelayProcess.start(database, broker, LEASE_TIME)) {
                await().atMost(PATIENCE).until(() -> !relay.isAlive() || failed() == 1);
                if (!relay.isAlive()) {
                    assertThat(relay.awaitEnd()).isEqualTo(99);
                    ended++;
                }
                if (failed() == 1) {
                    await().atMost(PATIENCE).until(() -> waiting() == 0);
                }
            }
            assertThat(ended).isLessThan(6);
        }

        assertThat(ended)
                .as("the first end is blamed on nobody, then three attempts")
                .isEqualTo(4);
        assertThat(check(broker.accepted(), 20).lost()).isZero();
    }

    private void append(int count, int keys) {
        var messages = new ArrayList<Message>();
        int from = appended;
        for (int i = from; i < from + count; i++) {
            messages.add(Message.event("OrderPlaced", (from > 0 ? "{\"later\":" : "{\"number\":") + i + "}")
                    .to("orders.placed")
                    .inOrderOf("key-" + i % keys));
        }
        appended += count;
        store.transactions().inTransaction(transaction -> store.outbox().append(messages));
    }

    private long waiting() {
        return count("PENDING") + count("HELD");
    }

    private long failed() {
        return count("FAILED");
    }

    private long count(String status) {
        try (Connection connection = database.dataSource().getConnection();
                var statement = connection.prepareStatement("SELECT count(*) FROM outbox WHERE status = ?")) {
            statement.setString(1, status);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static OrderCheck check(List<Envelope> received, int expected) {
        return OrderCheck.of(
                received,
                expected,
                message -> Long.parseLong(message.payload().asText().replaceAll("\\D", "")));
    }
}
