package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Backoff;
import io.waybill.message.Message;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What relays promise when they come and go: shared, taken over, frozen, ended by a message, and all of it at random. */
public abstract class RelayCrashContract extends RelayScenario {

    @Test
    void relays_share_the_shards_evenly_and_give_them_back_at_once() {
        var first = relay();
        first.runOnce();
        assertThat(events).contains("owns 64");

        try (var second = relay()) {
            second.runOnce();
            store.clock().advance(Duration.ofSeconds(20));
            first.runOnce();
            second.runOnce();
            assertThat(events).contains("owns 32");
        }
        events.clear();
        store.clock().advance(Duration.ofSeconds(20));
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
                // The database's own time may have run ahead of the test's; to whom was frozen it is all one.
                store.clock().advance(Duration.ofSeconds(1));
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
        assertThat(events)
                .anyMatch(event -> event.startsWith("lost "))
                .as("what it had sent is sent again by the other")
                .contains("unsettled " + (sentBefore.get() + 1));
    }

    @Test
    void a_relay_that_has_ended_by_itself_leaves_its_shards_to_others() {
        append(order("a", 1));
        broker.answers(message -> {
            throw new ProcessEnds();
        });
        try (var ended = RelayLoop.start(impatient(broker), SMALL_BATCHES)) {
            until(() -> !ended.isAlive());
            var healthy = impatient(other);

            until(() -> healthy.drain() > 0);

            assertThat(other.accepted()).extracting(RelayScenario::number).containsExactly(1L);
        }
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
    void random_trouble_loses_nothing_and_reorders_nothing() throws Exception {
        int keys = 200;
        int total = Integer.getInteger("waybill.chaos.messages", 20_000);
        var injected = ConcurrentHashMap.<String>newKeySet();
        var random = new Random(42);
        broker.answers(message -> trouble(random, injected));
        var threads = Executors.newFixedThreadPool(9);
        try {
            List<Future<?>> relays = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                long seed = i;
                relays.add(threads.submit(() -> relayThatStopsAndStarts(new Random(seed), total)));
            }
            threads.submit(() -> appendAll(keys, total)).get();
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

    private void appendAll(int keys, int total) {
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
