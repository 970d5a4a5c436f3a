package io.waybill.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Message;
import io.waybill.relay.Backoff;
import io.waybill.relay.Route;
import io.waybill.relay.Routes;
import io.waybill.store.OnExhausted;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a relay promises on any store: nothing lost, nothing out of order, nobody held up by somebody else's trouble. */
public abstract class RelayContract extends RelayScenario {

    @Test
    void what_was_committed_is_sent_once_and_in_order() {
        append(
                order("a", 1),
                order("a", 2),
                order("b", 3),
                Message.event("Free", "4").to("free"));

        assertThat(relay().drain()).isEqualTo(4);

        assertThat(broker.accepted()).hasSize(4);
        assertThat(check(broker.accepted(), 4).violations()).isEmpty();
        assertThat(relay().drain()).isZero();
    }

    @Test
    void a_refused_message_holds_its_key_and_nobody_else() {
        append(order("a", 1), order("a", 2), order("b", 3));
        broker.answers(refuse("{\"number\":1}"));
        var relay = relay();

        relay.drain();
        append(order("a", 4));
        relay.drain();
        assertThat(broker.payloads()).containsExactly("{\"number\":3}");

        broker.recovers();
        store.clock().advance(Duration.ofSeconds(3));
        relay.drain();
        assertThat(broker.payloads())
                .containsExactly("{\"number\":3}", "{\"number\":1}", "{\"number\":2}", "{\"number\":4}");
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_message_that_is_refused_for_good_is_parked_with_its_followers() {
        append(order("a", 1), order("a", 2), order("b", 3));
        broker.answers(refuse("{\"number\":1}"));

        var relay = relay(route -> route.maxAttempts(3));
        outlast(relay, 3);

        assertThat(broker.payloads()).containsExactly("{\"number\":3}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L, "HELD", 1L));
        assertThat(events).contains("failed {\"number\":1} after 3");
    }

    @Test
    void a_route_that_skips_goes_on_without_the_message() {
        append(order("a", 1), order("a", 2));
        broker.answers(refuse("{\"number\":1}"));

        var relay = relay(route -> route.maxAttempts(2).onExhausted(OnExhausted.SKIP));
        outlast(relay, 2);

        assertThat(broker.payloads()).containsExactly("{\"number\":2}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L));
    }

    @Test
    void a_damaged_message_fails_unsent_and_is_parked_with_its_followers() {
        append(order("a", 1), order("a", 2), order("b", 3));
        store.damage(claimAll().get(0).envelope().id());

        relay().drain();

        assertThat(broker.payloads()).containsExactly("{\"number\":3}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L, "HELD", 1L));
    }

    @Test
    void a_route_that_skips_goes_on_when_a_waiting_message_was_damaged() {
        append(order("a", 1), order("a", 2));
        var first = claimAll().get(0).envelope().id();
        broker.answers(refuse("{\"number\":1}"));
        var relay = relay(route -> route.onExhausted(OnExhausted.SKIP));
        relay.drain();
        append(order("a", 3));
        relay.drain();
        store.damage(first);

        store.clock().advance(Duration.ofSeconds(3));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("{\"number\":2}", "{\"number\":3}");
        assertThat(store.statuses()).isEqualTo(Map.of("FAILED", 1L));
    }

    @Test
    void a_broker_that_is_away_for_ten_minutes_costs_no_attempt() {
        for (int i = 0; i < 50; i++) {
            append(order("key-" + i % 5, i));
        }
        broker.answers(message -> new Outcome.Unavailable("connection refused"));
        var relay = relay();

        for (int second = 0; second < 600; second += 5) {
            relay.drain();
            store.clock().advance(Duration.ofSeconds(5));
        }
        assertThat(broker.accepted()).isEmpty();
        assertThat(store.statuses()).isEqualTo(Map.of("PENDING", 50L));

        broker.recovers();
        store.clock().advance(Duration.ofSeconds(31));
        relay.drain();
        var check = check(broker.accepted(), 50);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
        assertThat(claimAll()).isEmpty();
        assertThat(events).containsOnlyOnce("paused orders.placed").containsOnlyOnce("resumed orders.placed");
    }

    @Test
    void a_short_outage_is_a_short_pause_however_many_messages_met_it() {
        for (int i = 0; i < 50; i++) {
            append(order("key-" + i, i));
        }
        broker.answers(message -> new Outcome.Unavailable("connection reset"));
        var relay = relay();
        relay.drain();

        broker.recovers();
        store.clock().advance(Duration.ofMillis(1_100));
        relay.drain();

        assertThat(broker.accepted()).hasSize(50);
    }

    @Test
    void a_publisher_that_throws_delays_nobody_else_and_repeats_nothing_of_theirs() {
        append(order("a", 1), Message.event("Free", "2").to("free"));
        broker.answers(message -> {
            throw new IllegalStateException("a bug in the publisher");
        });
        try (var relay = relay(Routes.of(Route.of("orders.*", broker), Route.of("**", other)))) {
            for (int i = 0; i < 3; i++) {
                relay.drain();
            }
        }

        assertThat(other.payloads()).containsExactly("2");
        assertThat(store.statuses()).isEqualTo(Map.of("PENDING", 1L));
    }

    @Test
    void a_destination_that_is_set_up_wrongly_pauses_and_others_go_on() {
        append(order("a", 1), Message.event("Free", "2").to("free"));
        broker.answers(message -> message.destination().equals(ORDERS)
                ? new Outcome.Misconfigured("no such topic")
                : new Outcome.Accepted());
        var relay = relay();

        relay.drain();

        assertThat(broker.payloads()).containsExactly("2");
        assertThat(events).contains("misconfigured orders.placed");
        broker.recovers();
        store.clock().advance(Duration.ofSeconds(61));
        relay.drain();
        assertThat(broker.payloads()).containsExactly("2", "{\"number\":1}");
    }

    @Test
    void a_destination_without_a_route_is_left_to_others() {
        append(Message.event("Free", "1").to("elsewhere.far"), order("a", 2));
        try (var here = relay(Routes.of(Route.of("orders.*", broker)))) {
            here.drain();
        }
        assertThat(broker.payloads()).containsExactly("{\"number\":2}");

        try (var there = relay(Routes.of(Route.of("elsewhere.**", other)))) {
            there.drain();
        }
        assertThat(other.payloads()).containsExactly("1");
    }

    @Test
    void what_commits_late_with_a_smaller_position_is_sent_when_it_appears() {
        var relay = relay();
        try (var early = store.begin();
                var late = store.begin()) {
            outboxIn(early).append(order("a", 1));
            outboxIn(late).append(order("a", 2));
            late.commit();
            relay.drain();
            early.commit();
        }
        relay.drain();

        // The two overlapped: they go in the order in which they became visible.
        assertThat(broker.payloads()).containsExactly("{\"number\":2}", "{\"number\":1}");
    }

    @Test
    void two_that_follow_each_other_keep_their_order_while_a_third_is_still_open() {
        var relay = relay();
        try (var open = store.begin()) {
            outboxIn(open).append(order("a", 9));
            append(order("a", 1));
            relay.drain();
            append(order("a", 2));
            relay.drain();
            assertThat(broker.payloads()).containsExactly("{\"number\":1}", "{\"number\":2}");
            open.commit();
        }
        relay.drain();

        assertThat(broker.payloads()).containsExactly("{\"number\":1}", "{\"number\":2}", "{\"number\":9}");
    }

    @Test
    void a_transaction_that_rolls_back_leaves_a_gap_that_nobody_waits_for() {
        var relay = relay();
        try (var open = store.begin()) {
            outboxIn(open).append(order("a", 1));
        }
        append(order("a", 2));
        relay.drain();

        assertThat(broker.payloads()).containsExactly("{\"number\":2}");
    }

    @Test
    void relays_share_the_shards_evenly_and_give_them_back_at_once() {
        var first = relay();
        first.runOnce();
        assertThat(events).contains("owns 64");

        try (var second = relay()) {
            second.runOnce();
            store.clock().advance(Duration.ofSeconds(6));
            first.runOnce();
            second.runOnce();
            assertThat(events).contains("owns 32");
        }
        events.clear();
        store.clock().advance(Duration.ofSeconds(6));
        first.runOnce();
        assertThat(events).contains("owns 64");
    }

    @Test
    void a_frozen_relay_that_was_taken_over_sends_one_message_more_at_the_most_and_settles_nothing() {
        for (int i = 0; i < 40; i++) {
            append(order("key-" + i % 4, i));
        }
        var frozen = impatient(broker);
        var healthy = impatient(other);
        var sentBefore = new AtomicInteger();
        broker.answers(message -> {
            if (broker.accepted().size() >= 5
                    && sentBefore.compareAndSet(0, broker.accepted().size())) {
                until(() -> healthy.drain() == 0 && store.statuses().isEmpty());
            }
            return new Outcome.Accepted();
        });

        frozen.runOnce();
        frozen.drain();

        assertThat(broker.accepted())
                .as("what was sent before it froze, and one that was under way")
                .hasSize(sentBefore.get() + 1);
        var seen = new ArrayList<>(broker.accepted().subList(0, sentBefore.get()));
        seen.addAll(other.accepted());
        assertThat(check(seen, 40).violations()).isEmpty();
        assertThat(check(seen, 40).lost()).isZero();
        assertThat(store.statuses()).isEmpty();
        assertThat(events).anyMatch(event -> event.startsWith("lost "));
    }

    @Test
    void a_message_that_ends_the_process_fails_instead_of_ending_every_relay() {
        append(order("a", 1), order("a", 2), order("b", 3));
        broker.answers(message -> {
            if (message.payload().asText().equals("{\"number\":1}")) {
                throw new ProcessEnds();
            }
            return new Outcome.Accepted();
        });

        int ended = 0;
        for (int i = 0; i < 10 && !store.statuses().containsKey("FAILED"); i++) {
            var relay = impatient(broker);
            try {
                until(() -> relay.drain() > 0 || store.statuses().containsKey("FAILED"));
            } catch (ProcessEnds e) {
                ended++;
            }
        }

        // The first end is not counted against the message: nobody knew which one it was.
        assertThat(ended).isEqualTo(4);
        assertThat(store.statuses()).containsEntry("FAILED", 1L);
        var last = impatient(broker);
        until(() -> {
            last.drain();
            return broker.payloads().contains("{\"number\":3}");
        });
        assertThat(broker.payloads()).containsOnly("{\"number\":3}");
    }

    @Test
    void one_hot_key_fills_whole_batches() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < 1_000; i++) {
            messages.add(order("hot", i));
        }
        append(messages.toArray(Message[]::new));
        var relay = relay();

        int cycles = 0;
        while (relay.runOnce() > 0) {
            cycles++;
        }
        assertThat(cycles).isLessThan(12);
        assertThat(check(broker.accepted(), 1_000).violations()).isEmpty();
    }

    @Test
    void random_trouble_loses_nothing_and_reorders_nothing() throws Exception {
        int keys = 200;
        int total = Integer.getInteger("waybill.chaos.messages", 20_000);
        var injected = ConcurrentHashMap.<String>newKeySet();
        var random = new Random(42);
        broker.answers(message -> trouble(random, injected));
        var appending = new AtomicBoolean(true);
        var threads = Executors.newFixedThreadPool(9);
        try {
            List<Future<?>> relays = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                long seed = i;
                relays.add(threads.submit(() -> relayThatStopsAndStarts(new Random(seed), total)));
            }
            threads.submit(() -> appendAll(keys, total, appending)).get();
            for (var relay : relays) {
                relay.get();
            }
        } finally {
            threads.shutdownNow();
        }

        var check = check(broker.accepted(), total);
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
        assertThat(check.repeated()).as("repeated without an injected failure").isZero();
        assertThat(store.statuses()).isEmpty();
        assertThat(injected).isNotEmpty();
    }

    private static synchronized Outcome trouble(Random random, Set<String> injected) {
        int dice = random.nextInt(1_000);
        if (dice < 10) {
            injected.add("refused");
            return new Outcome.Refused("by chance");
        }
        if (dice == 10) {
            injected.add("away");
            return new Outcome.Unavailable("by chance");
        }
        return new Outcome.Accepted();
    }

    private void appendAll(int keys, int total, AtomicBoolean appending) {
        var random = new Random(7);
        int number = 0;
        while (number < total) {
            int size = Math.min(1 + random.nextInt(20), total - number);
            var batch = new ArrayList<Message>();
            for (int i = 0; i < size; i++) {
                batch.add(order("key-" + random.nextInt(keys), number++));
            }
            append(batch.toArray(Message[]::new));
        }
        appending.set(false);
    }

    /** Moves time on as it goes, so that what waits for another attempt gets it. */
    private void relayThatStopsAndStarts(Random random, int total) {
        while (received() < total) {
            try (var relay = relay(Routes.of(Route.of("**", broker)
                    .maxAttempts(1_000)
                    .backoff(new Backoff(Duration.ofMillis(1), Duration.ofMillis(20), 0.5))))) {
                int cycles = 5 + random.nextInt(200);
                for (int i = 0; i < cycles && received() < total; i++) {
                    relay.runOnce();
                    store.clock().advance(Duration.ofMillis(5));
                }
            }
        }
    }

    private static final class ProcessEnds extends Error {}

    private long received() {
        return broker.accepted().size();
    }
}
