package io.waybill.relay;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.relay.handle.HandlerPool;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.lease.PausedDestinations;
import io.waybill.relay.publish.CircuitBreakers;
import io.waybill.relay.publish.InFlightPublishes;
import io.waybill.relay.route.AdvertisedDestinations;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.RouteTarget;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.store.outbox.Settlements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses what a relay sends next: from the lanes it knows, of which it looks for new ones when these are empty; and now and then what was
 * scheduled or refused before and is due.
 *
 * <p><i>Threads:</i> the relay's own.
 */
final class ClaimPlanner {

    private static final Logger log = LoggerFactory.getLogger(ClaimPlanner.class);

    /** How often keys are looked for that wait for nothing. */
    private static final Duration BETWEEN_REPAIRS = Duration.ofMinutes(1);

    /** How soon a message for a broker is seen while all handlers are busy. */
    private static final Duration LOOK_WHEN_BUSY = Duration.ofMillis(10);

    private final OutboxStore store;
    private final Routes routes;
    private final RelayOptions options;
    private final Time time;
    private final CircuitBreakers circuits;
    private final InFlightPublishes publishes;
    private final HandlerPool handlers;
    private final PausedDestinations paused;
    private final LaneScheduler lanes;
    private final ShortRetries retries;
    private final RelayListener listener;
    private boolean oneDue;
    private Time.@Nullable Stopwatch sinceSweep;
    private Time.@Nullable Stopwatch sinceRepair;
    private Time.@Nullable Stopwatch sinceLook;

    ClaimPlanner(
            OutboxStore store,
            Routes routes,
            RelayOptions options,
            Time time,
            CircuitBreakers circuits,
            InFlightPublishes publishes,
            HandlerPool handlers,
            PausedDestinations paused,
            RelayListener listener) {
        this.store = store;
        this.paused = paused;
        this.listener = listener;
        this.routes = routes;
        this.options = options;
        this.time = time;
        this.circuits = circuits;
        this.publishes = publishes;
        this.handlers = handlers;
        this.lanes = new LaneScheduler(store, options.batchSize(), options.batchBytes());
        this.retries = new ShortRetries(time, options.sweepInterval());
    }

    /** What may be sent now. */
    List<ClaimedMessage> claim(HeldShards held) {
        if (isTimeToSweep() || lanes.isExhausted()) {
            return sweep(held);
        }
        List<ClaimedMessage> batch = claimFromLanes(held, 0);
        // Nothing of what is known may be sent now; something else may.
        return batch.isEmpty() ? sweep(held) : batch;
    }

    /** The same without looking for what was scheduled or waits for a retry, unless it is time for that. */
    List<ClaimedMessage> claimQuickly(HeldShards held) {
        if (isTimeToSweep()) {
            return sweep(held);
        }
        if (retries.isTimeToLook()) {
            return withDue(held);
        }
        if (lanes.isExhausted()) {
            if (isTooBusyToLook()) {
                return List.of();
            }
            sinceLook = time.stopwatch();
            lanes.recall();
            List<ClaimedMessage> batch = claimFromLanes(held, 0);
            if (!batch.isEmpty()) {
                return batch;
            }
            lanes.discover();
        }
        return claimFromLanes(held, 0);
    }

    /**
     * Handlers with enough to do wake the relay with each message they append; looking each time would slow them down, and where nothing
     * goes to a broker it is of no use at all.
     */
    private boolean isTooBusyToLook() {
        return !handlers.hasRoom()
                && (!routes.leadToABroker() || (sinceLook != null && !sinceLook.hasReached(LOOK_WHEN_BUSY)));
    }

    /** The next claim is of one message. */
    void claimOne() {
        lanes.claimOne();
        oneDue = true;
    }

    boolean isTimeToSweep() {
        return sinceSweep == null || sinceSweep.hasReached(options.sweepInterval());
    }

    /** Looks at everything anew: what was scheduled, what is due, which lanes there are. */
    private List<ClaimedMessage> sweep(HeldShards held) {
        sinceSweep = time.stopwatch();
        store.appendScheduled(options.batchSize());
        repair(held.leases());
        lanes.discover();
        return withDue(held);
    }

    private void repair(Collection<Lease> leases) {
        if (sinceRepair != null && !sinceRepair.hasReached(BETWEEN_REPAIRS)) {
            return;
        }
        sinceRepair = time.stopwatch();
        int repaired = store.repairKeys(leases);
        if (repaired > 0) {
            log.warn(
                    "WB-118 {} keys were blocked by messages that no longer exist, and have been released. If nobody"
                            + " changed rows of the outbox by hand, report this as a bug.",
                    repaired);
            listener.keysRepaired(repaired);
        }
    }

    /** What was refused and is due goes first: its key waits for it. */
    private List<ClaimedMessage> withDue(HeldShards held) {
        List<ClaimedMessage> due = due(held, options.batchBytes());
        List<ClaimedMessage> next = claimFromLanes(held, ClaimedMessage.bytes(due));
        List<ClaimedMessage> batch = new ArrayList<>(withoutRepeatedProbes(due, next));
        batch.addAll(next);
        return batch;
    }

    /**
     * Where a destination is only to be asked whether it is there again, it is asked with another message than before if there is one: with
     * those that wait in their lanes, else with the one that has waited longest.
     */
    private List<ClaimedMessage> withoutRepeatedProbes(List<ClaimedMessage> due, List<ClaimedMessage> next) {
        Set<String> asked = new HashSet<>();
        next.stream()
                .filter(message -> message.state() != ClaimedMessage.State.BLOCKED)
                .forEach(message -> asked.add(message.envelope().destination()));
        return due.stream()
                .filter(message -> {
                    String destination = message.envelope().destination();
                    return circuits.admission(destination) != CircuitBreakers.Admission.ONE || asked.add(destination);
                })
                .toList();
    }

    /** Shards of which the same is left to others are looked at together. */
    private List<ClaimedMessage> due(HeldShards held, long maxBytes) {
        int limit = oneDue ? 1 : options.batchSize();
        oneDue = false;
        retries.look();
        Map<List<AdvertisedDestinations>, List<Lease>> alike = held.leases().stream()
                .collect(Collectors.groupingBy(
                        lease -> held.excludedFrom(lease.shard()), LinkedHashMap::new, Collectors.toList()));
        List<ClaimedMessage> due = new ArrayList<>();
        alike.forEach((others, leases) -> {
            long left = maxBytes - ClaimedMessage.bytes(due);
            if (left > 0) {
                due.addAll(due(held, leases, unreachable(others), limit, left));
            }
        });
        return due;
    }

    private List<ClaimedMessage> due(
            HeldShards held, List<Lease> leases, Set<String> except, int limit, long maxBytes) {
        ClaimExclusions exclusions = handlers.exclusions();
        return store.claimDue(leases, except, limit, maxBytes).stream()
                .filter(due -> limit(held, due.lane()) > 0 && !exclusions.includes(due))
                .toList();
    }

    private List<ClaimedMessage> claimFromLanes(HeldShards held, long takenBytes) {
        Set<Integer> owned = held.leases().stream().map(Lease::shard).collect(Collectors.toSet());
        ClaimExclusions exclusions = handlers.hasRoom() ? handlers.exclusions() : ClaimExclusions.NOTHING;
        return lanes.claim(lane -> owned.contains(lane.shard()) ? limit(held, lane) : 0, exclusions, takenBytes);
    }

    /** Where nothing can be sent now. What waits for them must not stand in the way of what is due elsewhere. */
    private Set<String> unreachable(List<AdvertisedDestinations> others) {
        var unreachable = new HashSet<>(circuits.open());
        unreachable.addAll(paused.names());
        unreachable.addAll(routes.foreign());
        unreachable.addAll(publishes.destinations());
        if (!others.isEmpty()) {
            unreachable.addAll(
                    routes.seen(destination -> others.stream().anyMatch(other -> other.includes(destination))));
        }
        return unreachable;
    }

    /** How many messages of a lane may be claimed: none without a route, or while its destination is paused, down or busy. */
    int limit(HeldShards held, Lane lane) {
        Optional<Route> route = routes.to(lane.destination());
        if (route.isEmpty()
                || paused.contains(lane.destination())
                || !held.admits(lane.shard(), lane.destination())
                || isBusy(route.get().target(), lane.destination())) {
            return 0;
        }
        return switch (circuits.admission(lane.destination())) {
            case ALL -> options.batchSize();
            case ONE -> 1;
            case NONE -> 0;
        };
    }

    /** With what was prefetched, and what is due by now. */
    List<ClaimedMessage> withPrefetched(HeldShards held, Claim next) {
        List<ClaimedMessage> batch = new ArrayList<>();
        if (retries.isTimeToLook()) {
            batch.addAll(due(held, Math.max(1, options.batchBytes() - next.bytes())));
        }
        batch.addAll(lanes.claimed(next));
        return batch;
    }

    /** Whether the batch is large, more is left behind it, and handlers do not change what that is. */
    boolean expectMoreAfter(List<ClaimedMessage> batch) {
        return !lanes.isExhausted()
                && 2 * batch.size() > options.batchSize()
                && handlers.exclusions().isNothing();
    }

    /** The claim of what comes after these, which are under way. */
    Callable<Claim> prefetch(List<ClaimedMessage> underWay) {
        return lanes.prefetch(underWay);
    }

    /** These have been put off. */
    void expect(List<Settlements.Retry> putOff) {
        retries.expect(putOff);
    }

    /** Whether the lane's broker has not answered yet, or its handlers have enough to do. */
    boolean isBusy(Lane lane) {
        return routes.to(lane.destination())
                .filter(route -> isBusy(route.target(), lane.destination()))
                .isPresent();
    }

    private boolean isBusy(RouteTarget target, String destination) {
        return target instanceof RouteTarget.Sent sent ? publishes.isBusy(sent.line(destination)) : !handlers.hasRoom();
    }
}
