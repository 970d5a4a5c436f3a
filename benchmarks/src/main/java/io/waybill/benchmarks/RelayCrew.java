package io.waybill.benchmarks;

import io.waybill.Time;
import io.waybill.jdbc.JdbcStore;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.RelayOptions;
import io.waybill.relay.Routes;
import io.waybill.store.OutboxStore;
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
    private final List<Shards> shards = new ArrayList<>();
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

    /** Everybody at work, as in an application, for as long as this takes; and until what is under way has been settled. */
    void work(Runnable untilItIsEnough) {
        List<RelayLoop> loops = relays.stream()
                .map(relay -> RelayLoop.start(relay, RelayOptions.DEFAULT))
                .toList();
        try {
            untilItIsEnough.run();
        } finally {
            loops.forEach(RelayLoop::close);
        }
    }

    @Override
    public void close() {
        relays.forEach(Relay::close);
    }

    private void add(JdbcStore store, Routes routes, RelayOptions options) {
        var time = new Time(Clock.systemUTC(), () -> System.nanoTime() + skippedNanos.get());
        var owned = new Shards();
        shards.add(owned);
        relays.add(new Relay(store.outboxStore(), store.leaseStore(), routes, options, time, owned));
    }

    /** Relays renew every few seconds; the time between is skipped, not waited for. */
    private void divideTheShards() {
        for (int i = 0; i < ENOUGH_RENEWALS && !isDivided(); i++) {
            skippedNanos.addAndGet(A_RENEWAL.toNanos());
            relays.forEach(Relay::runOnce);
        }
        if (!isDivided()) {
            throw new IllegalStateException("The relays did not divide the shards: they own "
                    + shards.stream().map(owned -> owned.count).toList());
        }
    }

    private boolean isDivided() {
        return shards.stream().allMatch(owned -> owned.count == OutboxStore.SHARDS / relays.size());
    }

    private static final class Shards implements RelayListener {
        private volatile int count;

        @Override
        public void leasesChanged(int owned) {
            count = owned;
        }
    }
}
