package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Backoff;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.LocalHandler;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What handlers in this process are promised: the effect of each message once, in the order of its key. The effect is a message
 * that the handler appends to {@code effects}, which the other broker receives.
 */
public abstract class RelayHandlingContract extends RelayScenario {

    private static final Backoff SHORT = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(1), 0);

    private final List<String> handled = new ArrayList<>();

    @Test
    void what_a_handler_does_and_the_end_of_its_message_are_one_commit() {
        append(order("a", 1), order("b", 2), unordered(3));

        try (Relay relay = relay(handling(this::effect))) {
            relay.drain();
        }

        assertThat(effects()).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(store.statuses()).doesNotContainKeys("PENDING", "FAILED", "HELD");
    }

    @Test
    void a_handler_that_fails_has_no_effect_and_its_key_waits_for_it() {
        append(order("a", 1), order("a", 2), order("b", 3), order("a", 4));
        var failures = new AtomicInteger(2);

        try (Relay relay = relay(handling((message, transaction) -> {
            effect(message, transaction);
            if (number(message) == 1 && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not now");
            }
        }))) {
            relay.drain();
            assertThat(effects()).containsExactly(3);

            outlast(relay, 2);
            assertThat(effects()).containsExactly(3, 1, 2, 4);
            assertThat(events).contains("retried {\"number\":1} after 1", "retried {\"number\":1} after 2");
        }
    }

    @Test
    void an_error_after_the_commit_of_a_handler_repeats_no_effect() {
        append(order("a", 1), order("a", 2), order("b", 3));

        try (Relay relay = relay(handling((message, transaction) -> {
            effect(message, transaction);
            if (number(message) == 1) {
                transaction.afterCommit(() -> {
                    throw new LinkageError("a class that is missing");
                });
            }
        }))) {
            outlast(relay, 2);
        }

        assertThat(effects()).containsExactlyInAnyOrder(1, 2, 3).containsSubsequence(1, 2);
        assertThat(store.statuses()).doesNotContainKeys("PENDING", "FAILED", "HELD");
        assertThat(events).contains("paused orders.placed", "resumed orders.placed");
    }

    @Test
    void an_exhausted_message_is_recorded_as_failed_in_the_same_commit_and_its_followers_go_on() {
        append(order("a", 1), order("a", 2));

        try (Relay relay = relay(Routes.of(
                Route.handled("orders.*", store.transactions(), (message, transaction) -> {
                            if (number(message) == 1) {
                                throw new IllegalStateException("never");
                            }
                            effect(message, transaction);
                        })
                        .maxAttempts(2)
                        .backoff(SHORT)
                        .whenExhausted((message, attempts, error, transaction) -> {
                            handled.add(number(message) + " given up after " + attempts + ": " + error.getMessage());
                            effect(message, transaction);
                        }),
                Route.of("effects", other)))) {
            outlast(relay, 2);
        }

        assertThat(handled).containsExactly("1 given up after 2: never");
        assertThat(effects()).containsExactly(1, 2);
        assertThat(events).contains("failed {\"number\":1} after 2");
        assertThat(store.statuses()).doesNotContainKeys("PENDING", "FAILED", "HELD");
    }

    @Test
    void without_a_place_to_put_it_an_exhausted_message_and_its_followers_are_parked() {
        append(order("a", 1), order("a", 2), order("b", 3));

        try (Relay relay = relay(Routes.of(Route.handled("orders.*", store.transactions(), (message, transaction) -> {
                    if (message.partitionKey().equals("a")) {
                        throw new IllegalStateException("never");
                    }
                })
                .maxAttempts(2)
                .backoff(SHORT)))) {
            outlast(relay, 2);
        }

        assertThat(store.statuses()).containsEntry("FAILED", 1L).containsEntry("HELD", 1L);
    }

    @Test
    void an_error_that_its_route_gives_up_on_fails_the_message_at_once() {
        append(order("a", 1), order("b", 2));

        try (Relay relay = relay(Routes.of(Route.handled("orders.*", store.transactions(), (message, transaction) -> {
                    throw message.partitionKey().equals("a")
                            ? new IllegalArgumentException("never")
                            : new IllegalStateException("not yet");
                })
                .maxAttempts(Integer.MAX_VALUE)
                .giveUpWhen((message, error) -> error instanceof IllegalArgumentException)))) {
            relay.drain();
        }

        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L, "PENDING", 1L));
    }

    @Test
    void a_slow_handler_delays_no_other_key_even_behind_many_messages_of_its_own() throws Exception {
        int many = 2 * SMALL_BATCHES.batchSize();
        var slow = new Message[many];
        for (int i = 0; i < many; i++) {
            slow[i] = order("slow", i);
        }
        append(slow);
        append(order("quick", many), unordered(many + 1));
        var release = new CountDownLatch(1);
        RelayOptions options = SMALL_BATCHES.withHandlers(2);

        try (RelayLoop loop = RelayLoop.start(
                relay(
                        handling((message, transaction) -> {
                            if (number(message) == 0) {
                                release.await();
                            }
                            effect(message, transaction);
                        }),
                        options),
                options)) {
            until(() -> effects().size() == 2);
            assertThat(effects()).containsExactlyInAnyOrder(many, many + 1);
            release.countDown();
            loop.wake();
            until(() -> effects().size() == many + 2);
        }

        assertThat(effects().stream().filter(number -> number < many)).isSorted();
    }

    @Test
    void messages_that_share_a_commit_go_one_by_one_when_one_of_them_fails() {
        for (int i = 0; i < 30; i++) {
            append(order("key-" + i % 10, i));
        }

        try (Relay relay = relay(
                handling((message, transaction) -> {
                    effect(message, transaction);
                    if (number(message) == 7) {
                        throw new IllegalStateException("bad");
                    }
                }),
                SMALL_BATCHES.withMessagesPerCommit(10))) {
            relay.drain();
        }

        assertThat(effects()).hasSize(27).doesNotContain(7, 17, 27);
        assertThat(events).containsOnlyOnce("retried {\"number\":7} after 1");
    }

    @Test
    @Timeout(60)
    void a_handler_that_outlives_the_lease_of_its_relay_is_undone_and_nobody_waits_for_it() throws Exception {
        append(order("a", 1), order("a", 2));
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        RelayOptions options = SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1));
        Relay frozen = relay(
                handling((message, transaction) -> {
                    started.countDown();
                    release.await();
                    effect(message, transaction);
                }),
                options);
        frozen.runOnce();
        started.await();

        try (Relay healthy = relay(handling(this::effect), options)) {
            until(() -> {
                healthy.runOnce();
                return events.stream().filter("owns 64"::equals).count() >= 2;
            });
            until(() -> {
                healthy.runOnce();
                return effects().size() == 2;
            });
            release.countDown();
            frozen.drain();
            until(() -> {
                healthy.drain();
                return store.statuses().getOrDefault("PENDING", 0L) == 0;
            });
        } finally {
            release.countDown();
            frozen.close();
        }

        assertThat(effects()).containsExactly(1, 2);
    }

    @Test
    void a_handler_that_is_slow_after_a_take_over_holds_up_nobody_else() throws Exception {
        RelayOptions impatient = SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1));
        // It ends without a word: whoever takes over goes one by one at first.
        relay(handling(this::effect), impatient).runOnce();
        append(order("slow", 0));
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        Routes routes = Routes.of(
                Route.handled("orders.*", store.transactions(), (message, transaction) -> {
                    if (number(message) == 0) {
                        started.countDown();
                        release.await();
                    }
                    effect(message, transaction);
                }),
                Route.of("effects", other),
                Route.of("bills", broker));

        try (RelayLoop loop = RelayLoop.start(relay(routes, impatient), impatient);
                AutoCloseable first = release::countDown) {
            until(() -> started.getCount() == 0);
            for (int i = 1; i <= 100; i++) {
                append(Message.event("Bill", "{\"number\":" + i + "}")
                        .to("bills")
                        .inOrderOf("key-" + i % 30));
            }
            loop.wake();
            until(() -> broker.accepted().size() == 100);
            assertThat(effects()).isEmpty();

            append(order("slow", 1), order("quick", 2));
            loop.wake();
            until(() -> effects().size() == 1);
            release.countDown();
            until(() -> effects().size() == 3);
        }
        assertThat(effects()).containsExactly(2, 0, 1);
    }

    @Test
    @Timeout(120)
    void a_message_whose_handler_ends_the_process_fails_and_no_other_is_blamed() {
        append(order("a", 1), order("a", 2), order("b", 3));
        RelayOptions impatient = SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1));
        var calls = new AtomicInteger();

        // Each end costs a lease, so it is given up soon.
        for (int i = 0; i < 8 && !store.statuses().containsKey("FAILED"); i++) {
            int before = calls.get();
            var over = new CountDownLatch(1);
            // Nobody runs it again once the handler has begun, so nothing is settled: as if its process had ended.
            Route handling = Route.handled("orders.*", store.transactions(), (message, transaction) -> {
                        if (number(message) == 1) {
                            calls.incrementAndGet();
                            over.await();
                            throw new IllegalStateException("the process ends");
                        }
                        effect(message, transaction);
                    })
                    .maxAttempts(3);
            Relay relay = relay(Routes.of(handling, Route.of("effects", other)), impatient);
            until(() -> {
                relay.runOnce();
                return calls.get() > before || store.statuses().containsKey("FAILED");
            });
            over.countDown();
        }

        // The first end is not counted against the message: nobody knew which one it was.
        assertThat(calls).hasValue(1 + 3);
        assertThat(store.statuses()).containsEntry("FAILED", 1L);
        try (Relay last = relay(handling(this::effect), impatient)) {
            until(() -> {
                last.drain();
                return effects().contains(3);
            });
        }
        assertThat(effects()).containsExactly(3);
    }

    @Test
    void handlers_that_fail_at_random_in_relays_that_come_and_go_have_each_effect_once_and_in_order() throws Exception {
        int keys = 20;
        int messages = 600;
        var random = new Random(20_261_116);
        for (int i = 0; i < messages; i++) {
            append(order("key-" + random.nextInt(keys), i));
        }
        Set<Long> failed = ConcurrentHashMap.newKeySet();
        RelayOptions options =
                SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1)).withMessagesPerCommit(3);
        LocalHandler sometimes = (message, transaction) -> {
            effect(message, transaction);
            if (number(message) % 13 == 0 && failed.add(number(message))) {
                throw new IllegalStateException("not at first");
            }
        };

        for (int round = 0; effects().size() < messages && round < 200; round++) {
            try (Relay first = relay(handling(sometimes), options);
                    Relay second = relay(handling(sometimes), options)) {
                first.runOnce();
                second.runOnce();
                first.runOnce();
                second.drain();
            }
            store.clock().advance(Duration.ofSeconds(2));
        }

        assertThat(effects()).doesNotHaveDuplicates().hasSize(messages);
        assertThat(check(other.accepted(), messages).violations()).isEmpty();
    }

    private Routes handling(LocalHandler handler) {
        return Routes.of(
                Route.handled("orders.*", store.transactions(), handler).backoff(SHORT), Route.of("effects", other));
    }

    private static Message unordered(int number) {
        return Message.event("OrderPlaced", "{\"number\":" + number + "}").to(ORDERS);
    }

    private void effect(Envelope message, Transaction transaction) {
        Message effect = Message.event("Effect", message.payload().asText()).to("effects");
        Message ordered = message.isOrdered() ? effect.inOrderOf(message.partitionKey()) : effect;
        store.outboxStore().append(transaction, List.of(ordered.seal(UUID::randomUUID)));
    }

    private List<Integer> effects() {
        return other.accepted().stream().map(message -> (int) number(message)).toList();
    }
}
