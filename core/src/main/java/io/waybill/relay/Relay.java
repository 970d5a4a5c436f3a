package io.waybill.relay;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.Lane;
import io.waybill.store.Lease;
import io.waybill.store.LeaseStore;
import io.waybill.store.OutboxStore;
import io.waybill.store.Settlements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is committed in the outbox: claim, publish, settle.
 *
 * <p><i>Threads:</i> one relay is driven by one thread; any number of relays, in any number of processes, share the work.
 */
public final class Relay implements AutoCloseable {

    private final OutboxStore store;
    private final RelayOptions options;
    private final Time time;
    private final Leasing leasing;
    private final Routes routes;
    private final Circuits circuits;
    private final Publishers publishers;
    private final Lanes lanes;
    private final Sending sending;
    private final Suspects suspects;
    private Time.@Nullable Stopwatch sinceSweep;
    private volatile Time.@Nullable Stopwatch cycle;

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
        this.routes = routes;
        this.circuits = new Circuits(time);
        String name = "relay-" + UUID.randomUUID();
        this.publishers = new Publishers(name);
        this.leasing = new Leasing(leases, name, options.claimTimeout(), time, listener, publishers::fence);
        this.lanes = new Lanes(store, options.batchSize(), options.batchBytes());
        this.sending = new Sending(routes, publishers, circuits, listener, time);
        this.suspects = new Suspects(store, leasing, sending, options);
    }

    /** One cycle. Returns how many messages it dealt with; whoever drives it decides how to idle. */
    public int runOnce() {
        cycle = time.stopwatch();
        try {
            return suspects.runOnce(leasing.current().suspected(), this::most)
                    + sendBatch(leasing.current().trusted());
        } finally {
            cycle = null;
        }
    }

    /** Sends until nothing is left that can be sent now. Returns how many messages it dealt with. */
    public int drain() {
        int total = 0;
        for (int done = runOnce(); done > 0; done = runOnce()) {
            total += done;
        }
        return total;
    }

    /**
     * Renews the leases while {@link #runOnce} is busy on another thread: a publish may take long. A cycle that takes longer
     * than the publish timeout is no longer helped, so that others can take over from a relay that hangs.
     */
    public void keepAlive() {
        Time.Stopwatch running = cycle;
        if (running == null || !running.hasReached(options.publishTimeout())) {
            leasing.keepAlive();
        }
    }

    Duration keepAliveInterval() {
        return leasing.renewal();
    }

    /** Gives the shards back, so that other relays go on at once, and closes its publishers; the transports stay open. */
    @Override
    public void close() {
        publishers.close();
        leasing.leave();
    }

    private int sendBatch(Leasing.Held held) {
        List<ClaimedMessage> batch = claim(held.leases());
        if (batch.isEmpty()) {
            return 0;
        }
        Settlements settlements = sending.send(batch, held.deadline());
        store.settle(held.leases(), settlements);
        sending.tell(settlements);
        return settlements.size();
    }

    private List<ClaimedMessage> claim(Collection<Lease> leases) {
        if (sinceSweep == null || sinceSweep.hasReached(options.sweepInterval()) || lanes.isExhausted()) {
            return sweep(leases);
        }
        List<ClaimedMessage> batch = claimFromLanes(leases, 0);
        // Nothing of what is known may be sent now; something else may.
        return batch.isEmpty() ? sweep(leases) : batch;
    }

    /** Looks at everything anew: what was scheduled, what is due, which lanes there are. */
    private List<ClaimedMessage> sweep(Collection<Lease> leases) {
        sinceSweep = time.stopwatch();
        store.appendScheduled(options.batchSize());
        var batch = new ArrayList<ClaimedMessage>();
        store.claimDue(leases, unreachable(), options.batchSize(), options.batchBytes()).stream()
                .filter(due -> most(due.lane()) > 0)
                .forEach(batch::add);
        lanes.discover();
        batch.addAll(claimFromLanes(
                leases, batch.stream().mapToLong(ClaimedMessage::bytes).sum()));
        return batch;
    }

    private List<ClaimedMessage> claimFromLanes(Collection<Lease> leases, long takenBytes) {
        Set<Integer> owned = leases.stream().map(Lease::shard).collect(Collectors.toSet());
        return lanes.claim(lane -> owned.contains(lane.shard()) ? most(lane) : 0, takenBytes);
    }

    /** Where nothing can be sent now. What waits for them must not stand in the way of what is due elsewhere. */
    private Set<String> unreachable() {
        var unreachable = new HashSet<>(circuits.closed());
        unreachable.addAll(routes.foreign());
        return unreachable;
    }

    /** How many messages of a lane may be claimed: none without a route, or while its destination is down. */
    private int most(Lane lane) {
        if (routes.to(lane.destination()).isEmpty()) {
            return 0;
        }
        return switch (circuits.admission(lane.destination())) {
            case ALL -> options.batchSize();
            case ONE -> 1;
            case NONE -> 0;
        };
    }
}
