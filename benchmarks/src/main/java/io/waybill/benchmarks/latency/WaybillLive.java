package io.waybill.benchmarks.latency;

import io.waybill.Time;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Patience;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Our loop as it is by default. */
final class WaybillLive implements Live {

    private static final Duration LONGEST_START = Duration.ofSeconds(30);
    private static final Outcome ACCEPTED = new Outcome.Accepted();

    private final JdbcStore store;
    private final Latencies latencies;
    private final boolean sameProcess;
    private final RelayLoop loop;
    private volatile int shards;

    private WaybillLive(BenchmarkDatabase database, Latencies latencies, boolean sameProcess) {
        this.store = JdbcStore.on(database.pool()).initializeSchema();
        this.latencies = latencies;
        this.sameProcess = sameProcess;
        this.loop = RelayLoop.start(relay(), RelayOptions.DEFAULT);
        Patience.in(LONGEST_START).await(() -> shards == OutboxStore.SHARDS, () -> "the relay owns " + shards);
    }

    /** The relay is woken by whoever appends. */
    static Live inTheSameProcess(BenchmarkDatabase database, Latencies latencies) {
        return new WaybillLive(database, latencies, true);
    }

    /** Nobody wakes the relay: it finds out by itself, as it must when another process appends. */
    static Live inAnotherProcess(BenchmarkDatabase database, Latencies latencies) {
        return new WaybillLive(database, latencies, false);
    }

    @Override
    public void append(int number) {
        store.transactions().inTransaction(transaction -> {
            store.outbox().append(Workload.USUAL.message(number));
            latencies.committing(number);
            return number;
        });
        wakeTheRelayAfterCommit();
    }

    /** The one place to change when an append wakes the relay by itself: until then the benchmark does it by hand. */
    private void wakeTheRelayAfterCommit() {
        if (sameProcess) {
            loop.wake();
        }
    }

    @Override
    public void close() {
        loop.close();
    }

    private Relay relay() {
        var watch = new RelayListener() {
            @Override
            public void leasesChanged(int owned) {
                shards = owned;
            }
        };
        return new Relay(
                store.outboxStore(),
                store.leaseStore(),
                Routes.of(Route.of("**", this::publish)),
                RelayOptions.DEFAULT,
                Time.system(),
                watch);
    }

    private List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        long now = System.nanoTime();
        batch.forEach(message -> latencies.published(message.payload().asText(), now));
        return Collections.nCopies(batch.size(), ACCEPTED);
    }
}
