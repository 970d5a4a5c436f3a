package io.waybill.relay.lease;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.relay.route.AdvertisedDestinations;
import io.waybill.relay.route.PublisherPool;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.LeaseStore.LeaseTable;
import io.waybill.store.outbox.LeaseStore.Taken;
import io.waybill.store.outbox.LeaseStore.Wanted;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.transport.Deadline;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which shards this relay owns: an even share, renewed long before it expires, taken from relays that stopped renewing, and handed over
 * when others come and nothing of a shard is in flight. Where relays have different routes, also leases above those of the owners
 * ({@link SharedShards}): a relay has at most one lease on a shard.
 *
 * <p>Only leases that this relay knows to have are renewed. One that it has without knowing, because the answer to the statement that took
 * it was lost, is taken a second time.
 *
 * <p><i>Threads:</i> safe. The relay's own thread changes what is owned; another may keep it alive meanwhile.
 */
public final class ShardLeases {

    private static final Logger log = LoggerFactory.getLogger(ShardLeases.class);

    private final LeaseStore store;
    private final String relay;
    private final RelayOptions options;
    private final Duration renewal;
    private final Time time;
    private final RelayListener listener;
    private final PublisherPool publishers;
    private final InFlight inFlight;
    private final Routes routes;
    private final SharedShards shared;
    private final TakeableShards takeable;
    private final AwaitedRelays awaited;
    private final Map<Integer, Lease> held = new TreeMap<>();

    /** What goes to other relays once nothing of it is in flight, and since when. */
    private final Map<Integer, Time.Stopwatch> leaving = new TreeMap<>();

    /** Read by publishers and handlers without the lock, which is held while the database is asked. */
    private volatile LeaseSafety safety = new LeaseSafety(null, 0);

    private Time.@Nullable Stopwatch sinceBalance;

    /** What the others know that this relay serves. Nothing else is claimed under the leases that it has. */
    private AdvertisedDestinations announced;

    /** Relays that stopped answering, and whose work this relay may inherit with its next leases. */
    private final Set<String> toFence = new LinkedHashSet<>();

    private boolean complete;

    /** How many shards this relay owns, as the listener was told last. Read without the lock. */
    private volatile int told;

    /**
     * @param publishers are told of relays that stopped answering, before shards of theirs are taken
     * @param inFlight what the relay is working on
     */
    public ShardLeases(
            LeaseStore store,
            String relay,
            RelayOptions options,
            Time time,
            RelayListener listener,
            PublisherPool publishers,
            Routes routes,
            InFlight inFlight) {
        this.store = store;
        this.relay = relay;
        this.options = options;
        this.renewal = options.leaseTime().multipliedBy(3).dividedBy(10);
        this.time = time;
        this.listener = listener;
        this.publishers = publishers;
        this.routes = routes;
        this.inFlight = inFlight;
        this.shared = new SharedShards(relay);
        this.takeable = new TakeableShards(relay, renewal, time);
        this.awaited = new AwaitedRelays(relay, time);
        this.announced = routes.served();
    }

    /** How often leases are renewed. */
    public Duration renewal() {
        return renewal;
    }

    /** What may be claimed now. Renews when it is time, and as long as this relay has less than its share. */
    public synchronized HeldShards current() {
        if (routes.served() != announced) {
            announce();
        }
        if (sinceBalance == null || !complete || sinceBalance.hasReached(interval())) {
            balance(renew());
            sinceBalance = time.stopwatch();
        }
        handOver();
        return held(held.values().stream()
                .filter(lease -> !leaving.containsKey(lease.shard()))
                .toList());
    }

    /** A relay above that is slow to go does not have the table read without a pause. */
    private Duration interval() {
        return shared.isWaiting() ? renewal.dividedBy(10) : renewal;
    }

    /** There are more routes. The leases were taken on other conditions: they are given back, and taken again. */
    private void announce() {
        announced = routes.served();
        leaveSoon(List.copyOf(held.keySet()));
        sinceBalance = null;
    }

    /** From now on nothing of these is claimed. */
    private void leaveSoon(Collection<Integer> shards) {
        if (!shards.isEmpty()) {
            shards.forEach(shard -> leaving.putIfAbsent(shard, time.stopwatch()));
            inFlight.leave(Set.copyOf(leaving.keySet()));
        }
    }

    /** What this relay owns, also what it is about to hand over. */
    public synchronized List<Lease> all() {
        return List.copyOf(held.values());
    }

    /** How many shards this relay owns. It waits for nobody. */
    public int owned() {
        return told;
    }

    private HeldShards held(List<Lease> leases) {
        long before = safety.losses();
        return new HeldShards(leases, Deadline.when(() -> !isSafeSince(before)), announced, shared.excluded());
    }

    /** Whether this relay has the lease under which a message of the lane may be settled. */
    public synchronized boolean covers(Lane lane) {
        return held.containsKey(lane.shard())
                && shared.excluded().getOrDefault(lane.shard(), List.of()).stream()
                        .noneMatch(other -> other.includes(lane.destination()));
    }

    /** Keeps what is owned while a publish takes long. */
    public synchronized void keepAlive() {
        if (!held.isEmpty()) {
            renew();
        }
    }

    /** The time counts from before the renewal, so it is never too long. */
    private boolean isSafeSince(long before) {
        LeaseSafety now = safety;
        return now.losses() == before
                && now.sinceRenewal() != null
                && !now.sinceRenewal().mayHaveReached(options.leaseTime().dividedBy(2));
    }

    /** The shard has shown that it is harmless. */
    public synchronized void clear(int shard) {
        held.computeIfPresent(shard, (number, lease) -> lease.clean());
    }

    /** Gives everything back. Of what is still in flight others hear that nobody knows what becomes of it. */
    public synchronized void leave() {
        List<Lease> busy = leases(inFlight.shards());
        held.clear();
        shared.retain(Set.of());
        leaving.clear();
        told = 0;
        safety = new LeaseSafety(null, safety.losses());
        sinceBalance = null;
        abandon(busy);
        store.leave(relay);
    }

    private LeaseTable renew() {
        var started = time.stopwatch();
        LeaseTable table =
                store.renew(relay, announced.text(), inFlight.activity(), held.values(), options.leaseTime());
        Time.@Nullable Stopwatch before = safety.sinceRenewal();
        if (before != null && before.hasReached(options.leaseTime())) {
            takeable.outageEnded();
        }
        forgetWhatWasLost(table);
        safety = safety.renewed(started);
        return table;
    }

    private void forgetWhatWasLost(LeaseTable table) {
        int before = held.size();
        held.values()
                .removeIf(lease -> table.at(lease.shard(), lease.level())
                        .filter(row -> row.isHeldBy(relay) && row.token() == lease.token())
                        .isEmpty());
        if (held.size() < before) {
            safety = safety.lost();
            leaving.keySet().retainAll(held.keySet());
            shared.retain(held.keySet());
            inFlight.leave(Set.copyOf(leaving.keySet()));
            log.warn(
                    "WB-101 Relay {} lost {} of {} shards because it did not renew its leases within {} (lease-time)."
                            + " Look for a long pause of this process or of the database.",
                    relay,
                    before - held.size(),
                    before,
                    options.leaseTime());
            listener.leasesLost(before - held.size());
        }
    }

    private void balance(LeaseTable table) {
        int sharing = count(lease -> lease.level() > 0);
        review(table);
        int share = (OutboxStore.SHARDS + table.liveRelays() - 1) / table.liveRelays();
        int keeps = keeps();
        if (keeps > share) {
            letGo(keeps - share);
        } else if (keeps < share) {
            take(table, takeable.owners(table, held.keySet(), share - keeps));
        }
        if (SharedShards.isMixed(table, announced)) {
            leaveSoon(shared.unchosen(table, announced));
            take(table, shared.wanted(table, announced, held.keySet(), takeable::mayBeTaken));
        }
        complete = keeps() >= OutboxStore.SHARDS / table.liveRelays();
        awaited.look(complete ? List.of() : table.owners());
        tellChanges(sharing);
    }

    private int count(Predicate<Lease> which) {
        return (int) held.values().stream().filter(which).count();
    }

    private int keeps() {
        return count(lease -> lease.level() == 0 && !leaving.containsKey(lease.shard()));
    }

    private void tellChanges(int sharingBefore) {
        int owned = count(lease -> lease.level() == 0);
        int sharing = held.size() - owned;
        if (owned != told) {
            told = owned;
            log.info("Relay {} owns {} of {} shards.", relay, owned, OutboxStore.SHARDS);
            listener.leasesChanged(owned);
        }
        if (sharing != sharingBefore) {
            log.info(
                    "WB-120 Relay {} also serves {} shards of other relays that lack some of its destinations.",
                    relay,
                    sharing);
        }
    }

    /** With whom this relay shares its shards may have changed. */
    private void review(LeaseTable table) {
        SharedShards.Review review = shared.review(table, !takeable.isRightAfterAnOutage());
        leaveSoon(review.outdated);
        review.unclean.forEach(shard -> held.computeIfPresent(shard, (number, lease) -> lease.markUnclean()));
        toFence.addAll(review.dead);
        if (!review.unclean.isEmpty()) {
            fence(Stream.of());
            store.end(review.expired);
        }
        if (review.widened) {
            publishers.shardsTaken();
        }
    }

    /** Those first of which nothing is in flight. */
    private void letGo(int count) {
        Set<Integer> busy = inFlight.shards();
        leaveSoon(held.values().stream()
                .filter(lease -> lease.level() == 0 && !leaving.containsKey(lease.shard()))
                .map(Lease::shard)
                .sorted(Comparator.comparing(busy::contains))
                .limit(count)
                .toList());
    }

    private void handOver() {
        if (leaving.isEmpty()) {
            return;
        }
        Set<Integer> idle = new LinkedHashSet<>(leaving.keySet());
        idle.removeAll(inFlight.shards());
        Set<Integer> overdue = leaving.entrySet().stream()
                .filter(shard ->
                        !idle.contains(shard.getKey()) && shard.getValue().hasReached(options.claimTimeout()))
                .map(Map.Entry::getKey)
                .collect(toCollection(LinkedHashSet::new));
        if (!idle.isEmpty()) {
            store.release(relay, leases(idle));
            forget(idle);
        }
        if (!overdue.isEmpty()) {
            log.warn(
                    "WB-116 Relay {} releases {} shards although messages of them have been in flight for {}"
                            + " (claim-timeout). These messages may be published or handled a second time.",
                    relay,
                    overdue.size(),
                    options.claimTimeout());
            List<Lease> abandoned = leases(overdue);
            forget(overdue);
            safety = safety.lost();
            abandon(abandoned);
            listener.leasesLost(overdue.size());
        }
    }

    private void forget(Set<Integer> shards) {
        int owned = count(lease -> lease.level() == 0);
        int sharing = held.size() - owned;
        held.keySet().removeAll(shards);
        leaving.keySet().removeAll(shards);
        shared.retain(held.keySet());
        inFlight.leave(Set.copyOf(leaving.keySet()));
        tellChanges(sharing);
        if (held.size() < owned + sharing && owned == count(lease -> lease.level() == 0)) {
            sinceBalance = null; // What is given back above an owner is to be taken again on other conditions.
        }
    }

    private List<Lease> leases(Set<Integer> shards) {
        return held.values().stream()
                .filter(lease -> shards.contains(lease.shard()))
                .toList();
    }

    private void abandon(List<Lease> leases) {
        if (!leases.isEmpty()) {
            store.abandon(relay, leases);
        }
    }

    private void take(LeaseTable table, List<Wanted> wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        // Before they are taken: should the answer be lost, nobody would know later whose they were.
        fence(wanted.stream().map(lease -> lease.row().owner()));
        Map<Integer, Wanted> byShard =
                wanted.stream().collect(toMap(lease -> lease.row().shard(), lease -> lease));
        List<Taken> leases = store.take(wanted, relay, options.leaseTime());
        publishers.shardsTaken();
        for (Taken taken : leases) {
            Wanted lease = requireNonNull(byShard.get(taken.shard()));
            String owner = lease.row().owner();
            boolean unclean =
                    !owner.isEmpty() && !(owner.equals(relay) && lease.row().expired());
            held.put(taken.shard(), Lease.of(store.pool(), taken.level(), taken.shard(), taken.token(), unclean));
            shared.taken(taken, lease, table);
        }
    }

    /** These, and those that are known to have stopped answering. */
    private void fence(Stream<String> owners) {
        Stream.concat(owners, toFence.stream())
                .filter(owner -> !owner.isEmpty() && !owner.equals(relay))
                .distinct()
                .forEach(publishers::fence);
        toFence.clear();
    }

    /** For whose shards this relay waits, and for how long at most if they do not renew them. */
    public AwaitedRelays awaited() {
        return awaited;
    }
}
