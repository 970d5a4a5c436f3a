package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.ObservedCall;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Somebody else's trouble costs nothing. The work of finding healthy messages is counted, in calls to the store, in rows that it
 * gave and in rows that the database read, with nothing else in the outbox and then with thousands of rows that cannot be sent.
 */
public abstract class RelayIsolationContract extends RelayScenario {

    private static final int HEALTHY = 300;
    private static final int TROUBLED = 3_000;

    /** So many that reading the whole table is not the quickest way to find its lanes. */
    private static final int VERY_MANY = 20_000;

    private CountingStore counting;
    private int number;

    @SuppressWarnings("NullAway.Init")
    protected RelayIsolationContract() {}

    /** How many rows may be read to find the lanes while that many cannot be sent. */
    protected long mostRowsReadForLanes(long troubled) {
        return troubled / 10;
    }

    /** Whether it fails before the call, around it or after it. */
    @Test
    void a_listener_that_fails_around_a_call_stops_neither_handlers_nor_publishers() {
        append(order("a", 1), order("a", 2), order("b", 3));
        var calls = new AtomicInteger();
        RelayListener failing = new RelayListener() {
            @Override
            public ObservedCall handling(Envelope message) {
                return failing(calls.getAndIncrement());
            }

            @Override
            public ObservedCall publishing(List<Envelope> messages) {
                return failing(calls.getAndIncrement());
            }
        };
        List<Long> handled = new CopyOnWriteArrayList<>();
        Routes both = Routes.of(
                Route.of("published", broker),
                Route.handled(
                        "orders.*", store.transactions(), (message, transaction) -> handled.add(number(message))));
        try (Relay relay = new Relay(
                store.outboxStore(),
                store.leaseStore(),
                both,
                SMALL_BATCHES,
                store.clock().time(),
                failing)) {
            relay.drain();
            for (int number = 4; number < 8; number++) {
                append(Message.event("Order", "{\"number\":" + number + "}").to("published"));
                relay.drain();
            }
        }

        assertThat(handled).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(broker.accepted()).hasSize(4);
        assertThat(calls).hasValue(7);
    }

    private static ObservedCall failing(int number) {
        if (number % 4 == 0) {
            throw new IllegalStateException("no span");
        }
        return new ObservedCall() {
            @Override
            public <T, E extends Exception> T run(Part<T, E> part) throws E {
                if (number % 4 == 1) {
                    throw new IllegalStateException("no scope");
                }
                T result = part.run();
                if (number % 4 == 2) {
                    throw new IllegalStateException("no way back");
                }
                return result;
            }

            @Override
            public void end(String error) {
                throw new IllegalStateException("no end");
            }
        };
    }

    @Test
    void many_rows_for_a_destination_that_is_away_cost_the_others_nothing() {
        broker.answers(message -> new Outcome.Unavailable("connection refused"));
        Work added =
                assertNothingIsAddedBy(() -> appendMany(VERY_MANY, i -> message("dead.letters", "key-" + i % 100)));

        assertThat(added.rowsReadForLanes).isLessThan(mostRowsReadForLanes(VERY_MANY));
    }

    @Test
    void many_rows_for_a_destination_that_is_paused_cost_the_others_nothing() {
        Work added = assertNothingIsAddedBy(() -> {
            store.admin().pause("dead.letters", "the warehouse moves", "ann");
            store.clock().advance(SMALL_BATCHES.sweepInterval());
            appendMany(VERY_MANY, i -> message("dead.letters", "key-" + i % 100));
        });

        assertThat(broker.accepted()).isEmpty();
        assertThat(added.rowsReadForLanes).isLessThan(mostRowsReadForLanes(VERY_MANY));
    }

    @Test
    void many_rows_for_a_destination_without_a_route_cost_the_others_nothing() {
        assertNothingIsAddedBy(() -> appendMany(TROUBLED, i -> message("elsewhere", "key-" + i % 100)));
    }

    @Test
    void many_blocked_keys_and_their_followers_cost_the_others_nothing() {
        broker.answers(message -> new Outcome.Refused("bad"));
        assertNothingIsAddedBy(() -> {
            appendMany(TROUBLED / 3, i -> message("dead.letters", "key-" + i));
            appendMany(2 * TROUBLED / 3, i -> message("dead.letters", "key-" + i % (TROUBLED / 3)));
        });
        assertThat(store.statuses()).containsEntry("FAILED", TROUBLED / 3L).containsEntry("HELD", 2 * TROUBLED / 3L);
    }

    @Test
    void what_waits_for_another_attempt_at_a_destination_that_is_away_hides_nothing_that_is_due_elsewhere() {
        int waiting = 2 * SMALL_BATCHES.batchSize();
        broker.answers(message -> new Outcome.Refused("bad"));
        other.answers(message -> new Outcome.Refused("busy"));
        appendMany(waiting, i -> message("dead.letters", "key-" + i));
        appendMany(1, i -> message("orders.placed", "a"));
        try (Relay relay = relay(routes(10))) {
            relay.drain();
            broker.answers(message -> new Outcome.Unavailable("connection refused"));
            other.recovers();
            appendMany(1, i -> message("dead.letters", "one more"));
            relay.drain();
            store.clock().advance(Duration.ofMillis(900));
            relay.drain();
            assertThat(other.accepted()).isEmpty();

            store.clock().advance(Duration.ofMillis(1_200));
            relay.drain();
            store.clock().advance(Duration.ofMillis(10));
            relay.drain();
        }

        assertThat(other.accepted()).hasSize(1);
        assertThat(broker.accepted()).isEmpty();
    }

    @Test
    void relays_of_different_pools_serve_their_own_destinations_on_the_same_tables() {
        broker.answers(message -> message.payload().asText().contains("0}")
                ? new Outcome.Refused("not at first")
                : new Outcome.Accepted());
        try (Relay letters = relay("letters", Routes.of(Route.of("dead.*", broker)), SMALL_BATCHES);
                Relay orders = relay("orders", Routes.of(Route.of("orders.*", other)), SMALL_BATCHES)) {
            appendMany(100, i -> message(i % 2 == 0 ? "dead.letters" : "orders.placed", "key-" + i % 7));
            orders.drain();
            assertThat(other.accepted()).hasSize(50);

            letters.drain();
            broker.recovers();
            store.clock().advance(Duration.ofSeconds(61));
            letters.drain();
            assertThat(broker.accepted()).hasSize(50);
            assertThat(check(broker.accepted(), 50).violations()).isEmpty();
        }
    }

    @Test
    void a_broker_that_does_not_answer_holds_up_nobody_else_and_gets_nothing_more_until_it_does() {
        var answer = new CountDownLatch(1);
        var requests = new AtomicInteger();
        var slow = new Publisher() {
            @Override
            public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
                requests.incrementAndGet();
                awaitQuietly(answer);
                return broker.publish(batch, deadline);
            }
        };
        appendMany(50, i -> message("dead.letters", "key-" + i % 7));
        Routes routes = Routes.of(Route.of("dead.*", slow), Route.of("orders.*", other));
        try (RelayLoop loop = RelayLoop.start(relay(routes), SMALL_BATCHES)) {
            until(() -> requests.get() == 1);
            for (int sent = HEALTHY; sent <= 3 * HEALTHY; sent += HEALTHY) {
                int expected = sent;
                appendMany(HEALTHY, i -> message(ORDERS, "key-" + i % 30));
                appendMany(10, i -> message("dead.letters", "key-" + i % 7));
                loop.wake();
                until(() -> other.accepted().size() == expected);
            }
            assertThat(requests).hasValue(1);
            assertThat(broker.accepted()).isEmpty();

            answer.countDown();
            until(() -> broker.accepted().size() == 80);
        }
        assertThat(check(other.accepted(), 3 * HEALTHY).violations()).isEmpty();
        assertThat(check(broker.accepted(), 80).violations()).isEmpty();
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    @Timeout(60)
    void a_loop_that_is_closed_while_a_broker_is_slow_settles_what_the_broker_takes() throws Exception {
        var asked = new CountDownLatch(1);
        var answer = new CountDownLatch(1);
        Publisher slow = (batch, deadline) -> {
            asked.countDown();
            awaitQuietly(answer);
            return broker.publish(batch, deadline);
        };
        append(message("dead.letters", "key"));
        var loop = RelayLoop.start(relay(Routes.of(Route.of("**", slow))), SMALL_BATCHES);
        awaitQuietly(asked);
        var closing = new Thread(loop::close);
        closing.start();
        answer.countDown();
        closing.join();

        assertThat(broker.accepted()).hasSize(1);
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_broker_that_is_slow_after_a_take_over_holds_up_nobody_else() {
        RelayOptions impatient = SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1));
        // It ends without a word: whoever takes over sends the first messages one by one.
        relay(Routes.of(Route.of("**", broker)), impatient).runOnce();
        var answer = new CountDownLatch(1);
        var requests = new AtomicInteger();
        var slow = new Publisher() {
            @Override
            public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
                assertThat(batch)
                        .as("the first goes alone")
                        .hasSizeLessThanOrEqualTo(requests.incrementAndGet() == 1 ? 1 : 50);
                awaitQuietly(answer);
                return broker.publish(batch, deadline);
            }
        };
        appendMany(50, i -> message("dead.letters", "key-" + i % 7));
        Routes routes = Routes.of(Route.of("dead.*", slow), Route.of("orders.*", other));
        try (RelayLoop loop = RelayLoop.start(relay(routes, impatient), impatient)) {
            until(() -> requests.get() == 1);
            for (int sent = HEALTHY; sent <= 3 * HEALTHY; sent += HEALTHY) {
                int expected = sent;
                appendMany(HEALTHY, i -> message(ORDERS, "key-" + i % 30));
                loop.wake();
                until(() -> other.accepted().size() == expected);
            }
            assertThat(requests).hasValue(1);

            answer.countDown();
            until(() -> broker.accepted().size() == 50 && store.statuses().isEmpty());
        }
        assertThat(check(other.accepted(), 3 * HEALTHY).violations()).isEmpty();
        assertThat(check(broker.accepted(), 50).violations()).isEmpty();
    }

    @Test
    void a_publisher_that_does_not_come_back_is_interrupted_and_what_it_had_is_sent_again() {
        var requests = new AtomicInteger();
        var hanging = new Publisher() {
            @Override
            public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
                if (requests.incrementAndGet() == 1) {
                    awaitQuietly(new CountDownLatch(1));
                    return Collections.nCopies(batch.size(), new Outcome.Unavailable("interrupted"));
                }
                return broker.publish(batch, deadline);
            }
        };
        appendMany(10, i -> message(ORDERS, "key-" + i % 3));
        try (RelayLoop loop = RelayLoop.start(relay(Routes.of(Route.of("**", hanging))), SMALL_BATCHES)) {
            until(() -> requests.get() == 1);
            assertThat(loop.isAlive()).isTrue();

            store.clock().advance(SMALL_BATCHES.publishTimeout());
            until(() -> broker.accepted().size() == 10);

            assertThat(loop.isAlive()).isTrue();
        }
        assertThat(check(broker.accepted(), 10).violations()).isEmpty();
        assertThat(store.statuses()).isEmpty();
    }

    /** Returns when it is interrupted, too. */
    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Work assertNothingIsAddedBy(Runnable trouble) {
        counting = new CountingStore(store.outboxStore(), store::rowsRead);
        try (Relay relay = new Relay(
                counting,
                store.leaseStore(),
                routes(1),
                SMALL_BATCHES,
                store.clock().time(),
                new Recorder())) {
            Work alone = workOf(relay);
            trouble.run();
            relay.drain();
            store.analyze();
            Work besides = workOf(relay);

            assertThat(other.payloads()).hasSize(2 * HEALTHY);
            assertThat(besides.rowsGiven).isEqualTo(alone.rowsGiven).isEqualTo(HEALTHY);
            assertThat(besides.calls).isLessThanOrEqualTo(alone.calls + 2);
            assertThat(besides.rowsRead)
                    .as("rows read; alone " + alone.rowsRead)
                    .isLessThan(alone.rowsRead + TROUBLED / 10);
            return besides.minus(alone);
        }
    }

    /** What it takes to send the healthy messages. */
    private Work workOf(Relay relay) {
        appendMany(HEALTHY, i -> message(ORDERS, "key-" + i % 30));
        Work before = work();
        relay.drain();
        return work().minus(before);
    }

    private Work work() {
        return new Work(counting.calls, counting.rowsGiven, counting.rowsRead, counting.rowsReadForLanes);
    }

    private record Work(long calls, long rowsGiven, long rowsRead, long rowsReadForLanes) {

        Work minus(Work other) {
            return new Work(
                    calls - other.calls,
                    rowsGiven - other.rowsGiven,
                    rowsRead - other.rowsRead,
                    rowsReadForLanes - other.rowsReadForLanes);
        }
    }

    private Routes routes(int attempts) {
        return Routes.of(
                Route.of("dead.*", broker).maxAttempts(attempts),
                Route.of("orders.*", other).maxAttempts(10));
    }

    private void appendMany(int count, IntFunction<Message> message) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(message.apply(i));
        }
        append(messages.toArray(Message[]::new));
    }

    private Message message(String destination, String key) {
        return Message.event("OrderPlaced", "{\"number\":" + ++number + "}")
                .to(destination)
                .inOrderOf(key);
    }
}
