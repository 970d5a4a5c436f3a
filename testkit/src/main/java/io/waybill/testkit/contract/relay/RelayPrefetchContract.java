package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The next batch is claimed while the one before it is under way, and must not go where the one before it has not gone. */
public abstract class RelayPrefetchContract extends RelayScenario {

    private static final RelayOptions TINY_BATCHES = RelayOptions.DEFAULT.withBatchSize(50);
    private static final int KEYS = 20;

    private final AtomicInteger readAhead = new AtomicInteger();
    private final AtomicInteger settled = new AtomicInteger();

    /** Gets how often something was settled. */
    private IntConsumer beforeSettling = settled -> {};

    /** Whether the store can tell what comes next while the batch before it is not settled. */
    protected boolean canReadAhead() {
        return true;
    }

    @Test
    void nothing_overtakes_what_a_broker_has_not_taken_from_the_batch_before() {
        int count = 3_000;
        for (int from = 0; from < count; from += 500) {
            append(orders(from, from + 500));
        }
        broker.answers(new Moods(new Random(7)));
        var relay = watchedRelay(Route.of("**", broker));
        for (int i = 0; i < 200 && broker.accepted().size() < count; i++) {
            relay.drain();
            store.clock().advance(Duration.ofSeconds(61));
        }

        OrderCheck check = check(broker.accepted(), count);
        assertThat(check.violations()).isEmpty();
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
        assertThat(store.statuses()).isEmpty();
        assertThat(readAhead.get() > 0).isEqualTo(canReadAhead());
    }

    @Test
    void what_was_read_ahead_of_a_key_that_was_parked_meanwhile_stays_behind_it() {
        int count = 3_000;
        append(orders(0, count));
        Set<Long> refused = Set.of(203L, 1_007L, 1_011L, 1_555L, 2_012L);
        broker.answers(message -> refused.contains(number(message)) ? new Outcome.Refused("never") : takeTime(message));
        try (var relay = watchedRelay(Route.of("**", broker).maxAttempts(1))) {
            relay.drain();
        }

        List<Long> inFront = LongStream.range(0, count)
                .filter(number -> refused.stream().noneMatch(bad -> bad <= number && bad % KEYS == number % KEYS))
                .boxed()
                .toList();
        assertThat(broker.accepted().stream().map(RelayScenario::number)).containsExactlyInAnyOrderElementsOf(inFront);
        assertThat(check(broker.accepted(), inFront.size()).violations()).isEmpty();
        assertThat(readAhead.get() > 0).isEqualTo(canReadAhead());
    }

    @Test
    void writers_that_commit_late_and_a_relay_that_reads_ahead_keep_every_key_in_order() throws Exception {
        int perWriter = 1_500;
        var writers = List.of(new Writer("a", perWriter), new Writer("b", perWriter), new Writer("c", perWriter));
        int waiting = 4_000;
        append(orders(0, waiting));
        broker.answers(this::takeTime);
        var relay = watchedRelay(Route.of("**", broker));
        try (var loop = RelayLoop.start(relay, TINY_BATCHES)) {
            writers.forEach(Thread::start);
            for (Writer writer : writers) {
                writer.join();
                assertThat(writer.trouble).isEmpty();
            }
            loop.wake();
            until(() -> broker.accepted().size() >= waiting + 3 * perWriter);
        }

        OrderCheck check = check(broker.accepted(), waiting + 3 * perWriter);
        assertThat(check.violations()).isEmpty();
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
        assertThat(readAhead.get() > 0).isEqualTo(canReadAhead());
    }

    @Test
    void what_was_prefetched_behind_a_batch_that_could_not_be_settled_is_not_sent_before_it() {
        int count = 3_000;
        append(orders(0, count));
        var troubles = new AtomicInteger();
        beforeSettling = settled -> {
            if (settled > 10 && troubles.compareAndSet(0, 1)) {
                throw new IllegalStateException("not now");
            }
        };
        try (var relay = watchedRelay(Route.of("**", broker))) {
            until(() -> drained(relay) && store.statuses().isEmpty());
        }

        OrderCheck check = check(broker.accepted(), count);
        assertThat(troubles).hasValue(1);
        assertThat(skippedAfterRepeats(broker.accepted()))
                .as("what follows a repeated message is repeated too, or the last one of its key would be an old one")
                .isEmpty();
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
        assertThat(check.repeated())
                .as("the batch that was not settled, once more")
                .isBetween(1, 1_000);
        assertThat(events).as("the listener was notified").anyMatch(event -> event.startsWith("unsettled "));
    }

    /** Half of a batch is on its way when something fails, and the one before it is not settled yet. */
    @Test
    void what_was_started_behind_a_batch_that_is_not_settled_is_sent_again_behind_it() {
        int count = 3_000;
        for (int i = 0; i < count; i++) {
            append(order("key-" + i % KEYS, i).to(i % 2 == 0 ? "even" : "odd"));
        }
        var claimed = new AtomicInteger();
        var failing = new RelayListener() {
            @Override
            public void claimed(List<Envelope> messages) {
                if (claimed.incrementAndGet() == 10) {
                    throw new IllegalStateException("not now");
                }
            }
        };
        try (var relay = new Relay(
                watched(),
                store.leaseStore(),
                Routes.of(Route.of("even", broker), Route.of("odd", other)),
                TINY_BATCHES,
                store.clock().time(),
                failing)) {
            until(() -> drained(relay) && store.statuses().isEmpty());
        }

        assertThat(claimed).hasValueGreaterThan(10);
        var accepted = Stream.concat(broker.accepted().stream(), other.accepted().stream())
                .toList();
        OrderCheck check = check(accepted, count);
        assertThat(skippedAfterRepeats(accepted)).isEmpty();
        assertThat(check.lost()).isZero();
        assertThat(check.violations()).isEmpty();
    }

    @Test
    void a_batch_is_settled_while_the_next_one_is_published() {
        int count = 3_000;
        append(orders(0, count));
        var published = new AtomicInteger();
        var early = new AtomicInteger();
        Publisher watched = (batch, deadline) -> {
            if (settled.get() < published.getAndIncrement()) {
                early.incrementAndGet();
            }
            return broker.publish(batch, deadline);
        };
        try (var relay = watchedRelay(Route.of("**", watched))) {
            relay.drain();
        }

        OrderCheck check = check(broker.accepted(), count);
        assertThat(check.violations()).isEmpty();
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
        assertThat(early.get() > 0).isEqualTo(canReadAhead());
    }

    /** Messages that follow another one of their key, although one between them was accepted before and is not repeated. */
    private static List<Long> skippedAfterRepeats(List<Envelope> accepted) {
        Map<Long, Long> last = new HashMap<>();
        return accepted.stream()
                .map(RelayScenario::number)
                .filter(number -> {
                    Long before = last.put(number % KEYS, number);
                    return before != null && number > before + KEYS;
                })
                .toList();
    }

    private static boolean drained(Relay relay) {
        try {
            relay.drain();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void a_batch_is_hardly_larger_than_asked_although_most_lanes_have_nothing() {
        append(orders(0, 3_000));
        var sizes = new ConcurrentLinkedQueue<Integer>();
        Publisher measured = (batch, deadline) -> {
            sizes.add(batch.size());
            return broker.publish(batch, deadline);
        };
        int asked = 100;
        try (var relay = relay(Routes.of(Route.of("**", measured)), RelayOptions.DEFAULT.withBatchSize(asked))) {
            relay.drain();
        }

        assertThat(broker.accepted()).hasSize(3_000);
        assertThat(sizes).allMatch(size -> size <= asked * 3 / 2);
    }

    private Outcome takeTime(Envelope message) {
        store.clock().advance(Duration.ofMillis(1));
        return new Outcome.Accepted();
    }

    private Relay watchedRelay(Route route) {
        return new Relay(
                watched(),
                store.leaseStore(),
                Routes.of(route),
                TINY_BATCHES,
                store.clock().time(),
                new Recorder());
    }

    /** The store, and counts of the batches that it gave ahead and of what was settled. */
    private OutboxStore watched() {
        var watched = store.outboxStore();
        return (OutboxStore) Proxy.newProxyInstance(
                OutboxStore.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, arguments) -> {
                    boolean settles = method.getName().equals("settle");
                    if (settles) {
                        beforeSettling.accept(settled.get());
                    }
                    try {
                        Object result = method.invoke(watched, arguments);
                        settled.addAndGet(settles ? 1 : 0);
                        if (method.getName().equals("prefetch")
                                && !((Claim) result).messages().isEmpty()) {
                            readAhead.incrementAndGet();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Message[] orders(int from, int to) {
        var orders = new ArrayList<Message>();
        for (int i = from; i < to; i++) {
            orders.add(order("key-" + i % KEYS, i));
        }
        return orders.toArray(Message[]::new);
    }

    /** Refuses one message in a hundred once, and is away every now and then. */
    private static final class Moods implements Function<Envelope, Outcome> {
        private final Random random;
        private final Set<UUID> refused = new HashSet<>();

        Moods(Random random) {
            this.random = random;
        }

        @Override
        public synchronized Outcome apply(Envelope message) {
            int mood = random.nextInt(500);
            if (mood == 0) {
                return new Outcome.Unavailable("not now");
            }
            return mood <= 5 && refused.add(message.id()) ? new Outcome.Refused("not at once") : new Outcome.Accepted();
        }
    }

    /** Writes to its own keys, one transaction after the other, and takes its time before it commits. */
    private final class Writer extends Thread {
        private final String name;
        private final int count;
        private volatile String trouble = "";

        Writer(String name, int count) {
            this.name = name;
            this.count = count;
        }

        @Override
        public void run() {
            var random = new Random(name.hashCode());
            try {
                for (int number = 0; number < count; ) {
                    int messages = Math.min(count - number, 1 + random.nextInt(20));
                    write(number, messages, random);
                    number += messages;
                }
            } catch (RuntimeException e) {
                trouble = e.toString();
            }
        }

        private void write(int from, int messages, Random random) {
            try (var transaction = store.begin()) {
                for (int number = from; number < from + messages; number++) {
                    outboxIn(transaction).append(order(name + number % 3, number));
                    if (random.nextInt(10) == 0) {
                        LockSupport.parkNanos(random.nextInt(3_000_000));
                    }
                }
                transaction.commit();
            }
        }
    }
}
