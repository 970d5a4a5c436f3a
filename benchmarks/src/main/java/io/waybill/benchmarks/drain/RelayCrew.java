package io.waybill.benchmarks.drain;

import io.waybill.Time;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.OutboxStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Relays that have already divided the shards among them, so that a measurement starts with everybody at work. */
final class RelayCrew implements AutoCloseable {

    /** Longer than relays wait before they look at the leases again. */
    private static final Duration A_RENEWAL = Duration.ofSeconds(6);

    private static final int ENOUGH_RENEWALS = 10;

    private final List<Relay> relays = new ArrayList<>();
    private final List<RelayLoop> loops = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final AtomicLong settled = new AtomicLong();
    private final AtomicLong skippedNanos = new AtomicLong();

    private RelayCrew() {}

    static RelayCrew of(int size, JdbcStore store, Routes routes, RelayOptions options) {
        var crew = new RelayCrew();
        for (int i = 0; i < size; i++) {
            crew.add(store, routes, options);
        }
        crew.divideTheShards();
        return crew;
    }

    /** Everybody at work, as in an application, from now on. */
    void start() {
        relays.forEach(relay -> loops.add(RelayLoop.start(relay, RelayOptions.DEFAULT)));
    }

    /** How many messages have been sent and settled. */
    long settled() {
        return settled.get();
    }

    @Override
    public void close() {
        loops.forEach(RelayLoop::close);
        relays.forEach(Relay::close);
    }

    private void add(JdbcStore store, Routes routes, RelayOptions options) {
        var time = new Time(Clock.systemUTC(), () -> System.nanoTime() + skippedNanos.get());
        var watch = new Watch();
        watches.add(watch);
        relays.add(new Relay(store.outboxStore(), store.leaseStore(), routes, options, time, watch));
    }

    /** Relays renew every few seconds; the time between is skipped, not waited for. */
    private void divideTheShards() {
        for (int i = 0; i < ENOUGH_RENEWALS && !isDivided(); i++) {
            skippedNanos.addAndGet(A_RENEWAL.toNanos());
            relays.forEach(Relay::runOnce);
        }
        if (!isDivided()) {
            throw new IllegalStateException("The relays did not divide the shards: they own "
                    + watches.stream().map(watch -> watch.shards).toList());
        }
    }

    private boolean isDivided() {
        return watches.stream().allMatch(watch -> watch.shards == OutboxStore.SHARDS / relays.size());
    }

    private final class Watch implements RelayListener {
        private volatile int shards;

        @Override
        public void leasesChanged(int owned) {
            shards = owned;
        }

        @Override
        public void published(List<Envelope> messages, Duration lag) {
            settled.addAndGet(messages.size());
        }
    }
}
