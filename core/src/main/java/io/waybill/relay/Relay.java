package io.waybill.relay;

import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.handle.HandlerPool;
import io.waybill.relay.handle.HandlerResult;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.lease.InFlight;
import io.waybill.relay.lease.ShardLeases;
import io.waybill.relay.publish.BatchSender;
import io.waybill.relay.publish.CircuitBreakers;
import io.waybill.relay.publish.InFlightPublishes;
import io.waybill.relay.route.PublisherPool;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is committed in the outbox: claim, publish, settle.
 *
 * <p><i>Threads:</i> one relay is driven by one thread at a time; any number of relays, in any number of processes, share the work.
 */
public final class Relay implements AutoCloseable {

    /** How long brokers are waited for; what takes longer is settled when it comes, and others go on meanwhile. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final OutboxStore store;
    private final RelayOptions options;
    private final Time time;
    private final ShardLeases leases;
    private final PublisherPool publishers;
    private final InFlightPublishes publishing;
    private final HandlerPool handling;
    private final Prefetch prefetch = new Prefetch();
    private final CircuitBreakers circuits;
    private final BatchSender sending;
    private final UncleanShards suspects;
    private final ClaimPlanner claiming;
    private final RelayListener listener;
    private final AtomicReference<Time.@Nullable Stopwatch> cycle = new AtomicReference<>();

    private volatile Runnable wake = () -> {};

    public Relay(
            OutboxStore store,
            LeaseStore leases,
            Routes routes,
            RelayOptions options,
            Time time,
            RelayListener listener) {
        this.store = store;
        this.options = options;
        this.time = time;
        this.listener = listener;
        this.circuits = new CircuitBreakers(time);
        String name = "relay-" + UUID.randomUUID();
        this.publishers = new PublisherPool(name);
        this.leases = new ShardLeases(leases, name, options, time, listener, publishers, routes, new WorkInFlight());
        this.handling = new HandlerPool(store, routes, options, time, () -> wake.run());
        this.publishing = new InFlightPublishes(publishers, options, time, () -> wake.run());
        this.sending = new BatchSender(routes, publishing, handling, circuits, listener, time);
        this.suspects = new UncleanShards(store, this.leases, sending, options, time);
        this.claiming = new ClaimPlanner(store, routes, options, time, circuits, publishing, handling, listener);
    }

    /** One cycle, to its end. Returns how many messages it dealt with; whoever drives it decides how to idle. */
    public int runOnce() {
        return runOnce(false);
    }

    private int runOnce(boolean prefetching) {
        return cycle(() -> settleHandled() + send(claiming::all, InFlightPublishes.TO_THE_END, prefetching));
    }

    /**
     * The same without waiting for brokers that are slow, and without looking for what was scheduled or waits for a retry, unless
     * it is time for that. What handlers have ended does not count: they say when they need more.
     */
    int runQuickly() {
        return cycle(() -> {
            settleHandled();
            return send(claiming::quickly, PATIENCE, true);
        });
    }

    private int cycle(IntSupplier work) {
        Time.Stopwatch mine = time.stopwatch();
        cycle.set(mine);
        try {
            return work.getAsInt();
        } finally {
            // Whoever took over meanwhile has a cycle of its own.
            cycle.compareAndSet(mine, null);
        }
    }

    private int send(Function<HeldShards, List<ClaimedMessage>> claim, Duration patience, boolean prefetching) {
        publishing.interruptWhatHangs();
        publishing.start();
        int answered = settlePublished();
        HeldShards suspected = leases.current().suspected();
        return answered
                + suspects.runOnce(suspected, traffic(suspected, patience))
                + sendBatch(leases.current().trusted(), claim, patience, prefetching);
    }

    /** Sends until nothing is left that can be sent now, and waits for handlers. Returns how many messages it dealt with. */
    public int drain() {
        int total = 0;
        for (int done = runOnce(true); done > 0 || handling.await(); done = runOnce(true)) {
            total += done;
        }
        return total;
    }

    /** A cycle ended with this error. When memory was short, the next messages are claimed one by one. */
    void crashed(Error error) {
        if (error instanceof OutOfMemoryError) {
            claiming.claimOne();
        }
        listener.crashed(error);
    }

    /** Whoever drives the relay wants to know when something has ended: there may be something to settle, or room for more. */
    void onEnded(Runnable wake) {
        this.wake = wake;
    }

    /**
     * Renews the leases while {@link #runOnce} is busy on another thread: a publish may take long. A cycle that takes longer
     * than the publish timeout is no longer helped, so that others can take over from a relay that hangs.
     */
    public void keepAlive() {
        Time.@Nullable Stopwatch running = cycle.get();
        if ((running == null || !running.hasReached(options.publishTimeout())) && !hangs()) {
            leases.keepAlive();
        }
    }

    /** For whose shards this relay waits, in words; empty when it has its share. */
    public String awaited() {
        return leases.awaited().toString();
    }

    /**
     * What this relay waits for: shards of others, destinations that do not take messages, handlers at work. It asks nobody.
     *
     * @param patience how long a handler may be at work before that is unusual
     */
    public List<WaitingItem> waiting(Duration patience) {
        return Stream.of(
                        leases.awaited().waiting().stream().toList(),
                        suspects.waiting(patience).stream().toList(),
                        circuits.waiting(),
                        sending.refusing(),
                        handling.waiting(patience))
                .flatMap(Collection::stream)
                .toList();
    }

    /** Whether a publisher does not come back. */
    boolean hangs() {
        return publishing.hangs();
    }

    Duration keepAliveInterval() {
        return leases.renewal();
    }

    /**
     * Finishes what is being handled and sent, for as long as the close timeout says, gives the shards back, so that other relays go on at
     * once, and closes its publishers; the transports stay open. Whoever drives the relay keeps it alive meanwhile.
     */
    @Override
    public void close() {
        long end = System.nanoTime() + options.closeTimeout().toNanos();
        try {
            handling.close();
            publishing.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            prefetch.close();
            settleHandled();
            settlePublished();
        } finally {
            publishers.close();
            leases.leave();
        }
    }

    /** Settles what handlers could not handle; what they have handled is settled already. */
    private int settleHandled() {
        List<HandlerResult> ended = handling.ended();
        if (ended.isEmpty()) {
            return 0;
        }
        var settlements = Settlements.none();
        for (HandlerResult end : ended) {
            // What was not committed, and is another relay's by now, is for that one to settle.
            if (!(end.result() instanceof HandlerResult.Failed)
                    || leases.covers(end.message().lane())) {
                sending.settle(end, settlements);
            }
            suspects.answered(List.of(end.message()), end.isSettled());
        }
        sending.tellHandled(settlements);
        store.settle(leases.all(), settlements);
        claiming.expect(settlements.retries());
        sending.tell(settlements);
        handling.forget(ended);
        return ended.size();
    }

    /** Claims, publishes and settles; what takes longer than the patience is settled by a later cycle. */
    private int sendBatch(
            HeldShards held, Function<HeldShards, List<ClaimedMessage>> claim, Duration patience, boolean prefetching) {
        boolean smooth = prefetch.wasSettled() && publishing.isIdle();
        Claim next = prefetch.take(held.leases());
        List<ClaimedMessage> batch = smooth && !next.messages().isEmpty() && !claiming.isTimeToSweep()
                ? claiming.goOn(held, next)
                : claim.apply(held);
        Map<HeldShards, Settlements> settlements = new LinkedHashMap<>();
        settlements.put(held, sending.start(batch, held));
        publishing.start();
        // After trouble the next batch may have to wait, and then it was claimed in vain.
        if (prefetching && smooth && claiming.isLarge(batch) && handling.busy().isNothing()) {
            prefetch.start(held.leases(), claiming.prefetch(batch));
        }
        publishing.await(patience);
        addAnswers(settlements);
        int done = size(settlements);
        if (settle(settlements) && publishing.isIdle() && done == batch.size()) {
            prefetch.settled(settlements.values());
        }
        return done;
    }

    /** Settles what brokers have answered. */
    private int settlePublished() {
        Map<HeldShards, Settlements> settlements = new LinkedHashMap<>();
        addAnswers(settlements);
        settle(settlements);
        return size(settlements);
    }

    /** Adds what brokers have answered to what else is to be settled, by the leases under which it was claimed. */
    private void addAnswers(Map<HeldShards, Settlements> settlements) {
        for (InFlightPublishes.Batch batch : publishing.ended()) {
            Settlements settled = settlements.computeIfAbsent(batch.held(), none -> Settlements.none());
            int before = settled.size();
            sending.settle(batch, settled);
            suspects.answered(batch.messages(), settled.size() > before);
        }
    }

    /** Returns whether all of it was settled. */
    private boolean settle(Map<HeldShards, Settlements> settlements) {
        boolean allSettled = true;
        for (var settled : settlements.entrySet()) {
            Settlements what = settled.getValue();
            allSettled &= store.settle(settled.getKey().leases(), what) == what.size();
            claiming.expect(what.retries());
            sending.tell(what);
        }
        return allSettled;
    }

    private static int size(Map<HeldShards, Settlements> settlements) {
        return settlements.values().stream().mapToInt(Settlements::size).sum();
    }

    private final class WorkInFlight implements InFlight {
        @Override
        public Set<Integer> shards() {
            return Stream.of(publishing.messages(), handling.messages())
                    .flatMap(Collection::stream)
                    .map(ClaimedMessage::shard)
                    .collect(toSet());
        }

        @Override
        public void leave(Set<Integer> shards) {
            handling.leave(shards);
        }
    }

    private UncleanShards.Traffic traffic(HeldShards held, Duration patience) {
        return new UncleanShards.Traffic() {
            @Override
            public int most(Lane lane) {
                return claiming.most(held, lane);
            }

            @Override
            public boolean isBusy(Lane lane) {
                return claiming.isBusy(lane);
            }

            @Override
            public void settleAnswers() {
                publishing.await(patience);
                settlePublished();
            }
        };
    }
}
