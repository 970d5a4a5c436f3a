package io.waybill.relay;

import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.handle.HandlerPool;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.lease.InFlight;
import io.waybill.relay.lease.PausedDestinations;
import io.waybill.relay.lease.ShardLeases;
import io.waybill.relay.publish.ActivityCounter;
import io.waybill.relay.publish.BatchSender;
import io.waybill.relay.publish.CircuitBreakers;
import io.waybill.relay.publish.InFlightPublishes;
import io.waybill.relay.route.PublisherPool;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
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

    private final RelayOptions options;
    private final Time time;
    private final ShardLeases leases;
    private final PublisherPool publishers;
    private final InFlightPublishes publishes;
    private final HandlerPool handlers;
    private final PausedDestinations paused;
    private final ActivityCounter activity = new ActivityCounter();
    private final CircuitBreakers circuits;
    private final BatchSender sender;
    private final ClaimPlanner claims;
    private final Prefetch prefetch = new Prefetch();
    private final UncleanShards uncleanShards;
    private final Settler settler;
    private final RelayListener listener;
    private final AtomicReference<Time.@Nullable Stopwatch> running = new AtomicReference<>();

    private volatile Runnable wake = () -> {};

    public Relay(
            OutboxStore store,
            LeaseStore leases,
            Routes routes,
            RelayOptions options,
            Time time,
            RelayListener listener) {
        this.options = options;
        this.time = time;
        this.listener = listener;
        this.circuits = new CircuitBreakers(time);
        String name = "relay-" + UUID.randomUUID();
        this.publishers = new PublisherPool(name);
        this.leases = new ShardLeases(leases, name, options, time, listener, publishers, routes, new WorkInFlight());
        this.paused = new PausedDestinations(leases, time, options.sweepInterval(), listener);
        this.handlers = new HandlerPool(store, routes, options, time, listener, paused, () -> wake.run());
        this.publishes = new InFlightPublishes(publishers, options, time, listener, () -> wake.run());
        this.sender = new BatchSender(routes, publishes, handlers, circuits, activity.and(listener), time);
        this.claims = new ClaimPlanner(store, routes, options, time, circuits, publishes, handlers, paused, listener);
        var attempts = new NotedAttempts(store, sender, time);
        this.settler = new Settler(store, this.leases, sender, publishes, handlers, claims, attempts);
        this.uncleanShards =
                new UncleanShards(store, this.leases, claims, sender, publishes, attempts, settler, options, time);
    }

    /** How a cycle is driven. */
    private enum Mode {

        /** Alone: it waits for brokers to the end. */
        SINGLE(InFlightPublishes.TO_THE_END),

        /** One of many, until nothing is left: it also reads ahead. */
        DRAINING(InFlightPublishes.TO_THE_END),

        /** One of many that have to be quick: brokers are waited for only a moment. */
        LOOPING(PATIENCE);

        private final Duration patience;

        Mode(Duration patience) {
            this.patience = patience;
        }
    }

    /** One cycle, to its end. Returns how many messages it dealt with; the caller decides how to idle. */
    public int runOnce() {
        return cycle(Mode.SINGLE);
    }

    /**
     * The same without waiting for brokers that are slow, and without looking for what was scheduled or waits for a retry, unless
     * it is time for that. What handlers have ended does not count: they say when they need more.
     */
    int runQuickly() {
        return cycle(Mode.LOOPING);
    }

    /** Sends until nothing is left that can be sent now, and waits for handlers. Returns how many messages it dealt with. */
    public int drain() {
        int total = 0;
        for (int done = cycle(Mode.DRAINING); done > 0 || handlers.await(); done = cycle(Mode.DRAINING)) {
            total += done;
        }
        return total;
    }

    private int cycle(Mode mode) {
        Time.Stopwatch mine = time.stopwatch();
        running.set(mine);
        try {
            int handled = settler.settleHandled();
            publishes.interruptWhatHangs();
            publishes.start();
            lookWhatIsPaused(mode);
            int published = settler.settlePublished();
            int recovered = uncleanShards.runOnce(leases.current().unclean(), mode.patience);
            int sent = sendBatch(leases.current().clean(), mode);
            return published + recovered + sent + (mode == Mode.LOOPING ? 0 : handled);
        } finally {
            // A relay that took over meanwhile has a cycle of its own.
            running.compareAndSet(mine, null);
        }
    }

    /** Before anything is claimed. What was prefetched, or waits for a handler, was claimed without knowing it. */
    private void lookWhatIsPaused(Mode mode) {
        Runnable outdate = () -> {
            prefetch.outdate();
            handlers.leavePaused();
        };
        if (mode == Mode.SINGLE) {
            paused.read(outdate);
        } else {
            paused.readWhenDue(outdate);
        }
    }

    /**
     * Claims, publishes and settles; what takes longer than the patience is settled by a later cycle. A batch that brokers have accepted whole
     * is settled while the next one is on its way, if that was prefetched.
     */
    private int sendBatch(HeldShards held, Mode mode) {
        Time.Stopwatch since = time.stopwatch();
        Prefetch.State state = prefetch.begin(publishes.isIdle());
        List<ClaimedMessage> batch = claim(held, mode, state);
        Settler.Answers before = Settler.Answers.NONE;
        boolean complete = true;
        for (int messages = 0; ; ) {
            Settlements unsent;
            try {
                unsent = sender.start(batch, held);
                publishes.start();
                if (mode != Mode.SINGLE && state == Prefetch.State.PIPELINING && claims.expectMoreAfter(batch)) {
                    prefetch.start(held.leases(), claims.prefetch(before.and(batch)));
                }
                complete &= settler.settle(before);
            } catch (RuntimeException | Error e) {
                disownBehind(before);
                throw e;
            }
            publishes.await(mode.patience);

            Settler.Answers answers = settler.answers(held, unsent);
            messages += answers.size();
            complete &= publishes.isIdle() && answers.size() == batch.size();
            boolean pipelines =
                    complete && answers.arePlain() && !claims.isTimeToSweep() && !since.hasReached(PATIENCE);
            Claim next = pipelines ? prefetch.take(held.leases()) : Claim.NOTHING;
            if (next.messages().isEmpty()) {
                if (settler.settle(answers) && complete) {
                    prefetch.settled(answers.stoppedKeys());
                }
                return messages;
            }
            batch = claims.withPrefetched(held, next);
            before = answers;
        }
    }

    /** What was not settled is sent again, and what is on its way behind it again after that. */
    private void disownBehind(Settler.Answers before) {
        if (before.size() > 0) {
            publishes.disown();
        }
    }

    private List<ClaimedMessage> claim(HeldShards held, Mode mode, Prefetch.State state) {
        Claim prefetched = prefetch.take(held.leases());
        if (state == Prefetch.State.PIPELINING && !prefetched.messages().isEmpty() && !claims.isTimeToSweep()) {
            return claims.withPrefetched(held, prefetched);
        }
        return mode == Mode.LOOPING ? claims.claimQuickly(held) : claims.claim(held);
    }

    /** A cycle ended with this error. When memory was short, the next messages are claimed one by one. */
    void crashed(Error error) {
        if (error instanceof OutOfMemoryError) {
            claims.claimOne();
        }
        listener.crashed(error);
    }

    /** Called when something has ended: there may be something to settle, or room for more. */
    void onEnded(Runnable wake) {
        this.wake = wake;
    }

    /**
     * Renews the leases while {@link #runOnce} is busy on another thread: a publish may take long. A cycle that takes longer
     * than the publish timeout is no longer helped, so that others can take over from a relay that hangs.
     */
    public void keepAlive() {
        Time.@Nullable Stopwatch running = this.running.get();
        if ((running == null || !running.hasReached(options.publishTimeout())) && !hangs()) {
            leases.keepAlive();
        }
    }

    /** How many shards this relay owns. It asks nobody. */
    int shards() {
        return leases.owned();
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
                        uncleanShards.waiting(patience).stream().toList(),
                        paused.waiting(),
                        circuits.waiting().stream().filter(this::isNotPaused).toList(),
                        sender.refusing().stream().filter(this::isNotPaused).toList(),
                        handlers.waiting(patience))
                .flatMap(Collection::stream)
                .toList();
    }

    private boolean isNotPaused(WaitingItem destination) {
        return !paused.contains(destination.name());
    }

    /** Whether a publisher does not come back. */
    boolean hangs() {
        return publishes.hangs();
    }

    Duration keepAliveInterval() {
        return leases.renewal();
    }

    /**
     * Finishes what is being handled and sent, for as long as the close timeout says, gives the shards back, so that other relays go on at
     * once, and closes its publishers; the transports stay open. The caller keeps its leases with {@link #keepAlive} meanwhile.
     */
    @Override
    public void close() {
        long end = System.nanoTime() + options.closeTimeout().toNanos();
        try {
            handlers.close();
            publishes.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            prefetch.close();
            settler.settleHandled();
            settler.settlePublished();
        } finally {
            publishers.close();
            leases.leave();
        }
    }

    private final class WorkInFlight implements InFlight {
        @Override
        public Set<Integer> shards() {
            return Stream.of(publishes.messages(), handlers.messages())
                    .flatMap(Collection::stream)
                    .map(ClaimedMessage::shard)
                    .collect(toSet());
        }

        @Override
        public String activity() {
            return activity.activity(circuits.reasons()).text();
        }

        @Override
        public void leave(Set<Integer> shards) {
            handlers.leave(shards);
        }
    }
}
