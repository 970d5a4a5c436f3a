package io.waybill.relay;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.store.Lease;
import io.waybill.store.LeaseStore;
import io.waybill.store.LeaseStore.LeaseTable;
import io.waybill.store.OutboxStore;
import io.waybill.transport.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which shards this relay owns: an even share, renewed long before it expires, taken from relays that stopped renewing, and handed over
 * when others come and nothing of a shard is in flight.
 *
 * <p>Only leases that this relay knows to have are renewed. One that it has without knowing, because the answer to the statement that took
 * it was lost, is taken a second time.
 *
 * <p><i>Threads:</i> safe. The relay's own thread changes what is owned; another may keep it alive meanwhile.
 */
final class ShardLeases {

    private static final Logger log = LoggerFactory.getLogger(ShardLeases.class);

    private final LeaseStore store;
    private final String relay;
    private final RelayOptions options;
    private final Duration renewal;
    private final Time time;
    private final RelayListener listener;
    private final Consumer<String> fence;
    private final InFlight inFlight;
    private final Map<Integer, Lease> held = new TreeMap<>();

    /** What goes to other relays once nothing of it is in flight, and since when. */
    private final Map<Integer, Time.Stopwatch> leaving = new TreeMap<>();

    private Time.@Nullable Stopwatch sinceRenewal;
    private Time.@Nullable Stopwatch sinceBalance;

    /** Since the database was found again after it could not be asked for so long that all leases had expired. */
    private Time.@Nullable Stopwatch sinceOutage;

    private Set<String> awaitedRelays = Set.of();
    private String awaited = "";
    private boolean complete;
    private long losses;

    /**
     * @param fence is told the names of relays that stopped answering, before shards of theirs are taken
     * @param inFlight what the relay is working on
     */
    ShardLeases(
            LeaseStore store,
            String relay,
            RelayOptions options,
            Time time,
            RelayListener listener,
            Consumer<String> fence,
            InFlight inFlight) {
        this.store = store;
        this.relay = relay;
        this.options = options;
        this.renewal = options.leaseTime().multipliedBy(3).dividedBy(10);
        this.time = time;
        this.listener = listener;
        this.fence = fence;
        this.inFlight = inFlight;
    }

    /** What the relay is working on. */
    interface InFlight {

        /** The shards of messages that are being published, handled or settled. */
        Set<Integer> shards();

        /** These are to be handed over: of what waits for a handler, nothing of these shards is begun any more. */
        void leave(Set<Integer> shards);
    }

    /** How often leases are renewed. */
    Duration renewal() {
        return renewal;
    }

    /** What may be claimed now. Renews when it is time, and as long as this relay has less than its share. */
    synchronized Held current() {
        if (sinceBalance == null || !complete || sinceBalance.hasReached(renewal)) {
            balance(renew());
            sinceBalance = time.stopwatch();
        }
        handOver();
        return held(held.values().stream()
                .filter(lease -> !leaving.containsKey(lease.shard()))
                .toList());
    }

    /** What this relay owns, also what it is about to hand over. */
    synchronized List<Lease> all() {
        return List.copyOf(held.values());
    }

    private Held held(List<Lease> leases) {
        long before = losses;
        return new Held(leases, Deadline.when(() -> !isSafeSince(before)));
    }

    /**
     * What a relay owns, and until when messages that are claimed now may be sent: until a lease is lost, or could have been
     * lost without being noticed.
     */
    record Held(List<Lease> leases, Deadline deadline) {

        Held trusted() {
            return new Held(leases.stream().filter(lease -> !lease.unclean()).toList(), deadline);
        }

        Held suspected() {
            return new Held(leases.stream().filter(Lease::unclean).toList(), deadline);
        }
    }

    /** Keeps what is owned while a publish takes long. */
    synchronized void keepAlive() {
        if (!held.isEmpty()) {
            renew();
        }
    }

    /** The time counts from before the renewal, so it is never too long. */
    private synchronized boolean isSafeSince(long before) {
        return losses == before
                && sinceRenewal != null
                && !sinceRenewal.mayHaveReached(options.leaseTime().dividedBy(2));
    }

    /** The shard has shown that it is harmless. */
    synchronized void clear(int shard) {
        held.computeIfPresent(shard, (number, lease) -> new Lease(lease.pool(), number, lease.token(), false));
    }

    /** Gives everything back. Of what is still in flight others hear that nobody knows what becomes of it. */
    synchronized void leave() {
        Set<Integer> busy = new HashSet<>(inFlight.shards());
        busy.retainAll(held.keySet());
        held.clear();
        leaving.clear();
        sinceRenewal = null;
        sinceBalance = null;
        abandon(busy);
        store.leave(relay);
    }

    private LeaseTable renew() {
        var started = time.stopwatch();
        LeaseTable table = store.renew(relay, held.values(), options.leaseTime());
        if (sinceRenewal != null && sinceRenewal.hasReached(options.leaseTime())) {
            sinceOutage = time.stopwatch();
        }
        sinceRenewal = started;
        forgetWhatWasLost(table);
        return table;
    }

    private void forgetWhatWasLost(LeaseTable table) {
        int before = held.size();
        for (var row : table.rows()) {
            held.computeIfPresent(
                    row.shard(), (shard, lease) -> row.isHeldBy(relay) && row.token() == lease.token() ? lease : null);
        }
        if (held.size() < before) {
            losses++;
            leaving.keySet().retainAll(held.keySet());
            inFlight.leave(Set.copyOf(leaving.keySet()));
            log.warn(
                    "WB-101 Relay {} lost {} of {} shards: it did not renew its leases within {}.",
                    relay,
                    before - held.size(),
                    before,
                    options.leaseTime());
            listener.leasesLost(before - held.size());
        }
    }

    private void balance(LeaseTable table) {
        int before = held.size();
        int share = (OutboxStore.SHARDS + table.liveRelays() - 1) / table.liveRelays();
        int keeps = held.size() - leaving.size();
        if (keeps > share) {
            letGo(keeps - share);
        } else if (keeps < share) {
            take(table, share - keeps);
        }
        complete = held.size() >= OutboxStore.SHARDS / table.liveRelays();
        tellWhoIsAwaited(table);
        if (held.size() != before) {
            log.info("Relay {} owns {} of {} shards.", relay, held.size(), OutboxStore.SHARDS);
            listener.leasesChanged(held.size());
        }
    }

    /** From now on nothing of these is claimed; those of which nothing is in flight first. */
    private void letGo(int count) {
        Set<Integer> busy = inFlight.shards();
        held.keySet().stream()
                .filter(shard -> !leaving.containsKey(shard))
                .sorted(Comparator.comparing(busy::contains))
                .limit(count)
                .toList()
                .forEach(shard -> leaving.put(shard, time.stopwatch()));
        inFlight.leave(Set.copyOf(leaving.keySet()));
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
            store.release(relay, idle);
            forget(idle);
        }
        if (!overdue.isEmpty()) {
            log.warn(
                    "WB-116 Relay {} gives {} shards up although messages of theirs have been in flight for {}: these may"
                            + " be sent or handled again elsewhere.",
                    relay,
                    overdue.size(),
                    options.claimTimeout());
            forget(overdue);
            losses++;
            abandon(overdue);
            listener.leasesLost(overdue.size());
        }
    }

    private void forget(Set<Integer> shards) {
        held.keySet().removeAll(shards);
        leaving.keySet().removeAll(shards);
        inFlight.leave(Set.copyOf(leaving.keySet()));
        log.info("Relay {} owns {} of {} shards.", relay, held.size(), OutboxStore.SHARDS);
        listener.leasesChanged(held.size());
    }

    private void abandon(Set<Integer> shards) {
        if (!shards.isEmpty()) {
            store.abandon(relay, shards);
        }
    }

    private void take(LeaseTable table, int count) {
        List<LeaseTable.Row> wanted = inOrderOfPreference(table.rows()).stream()
                .filter(this::mayBeTaken)
                .limit(count)
                .toList();
        if (wanted.isEmpty()) {
            return;
        }
        // Before they are taken: should the answer be lost, nobody would know later whose they were.
        wanted.stream()
                .map(LeaseTable.Row::owner)
                .filter(owner -> !owner.isEmpty() && !owner.equals(relay))
                .distinct()
                .forEach(fence);
        Set<Integer> taken = store.take(wanted, relay, options.leaseTime());
        for (var row : wanted) {
            if (taken.contains(row.shard())) {
                boolean unclean = !row.owner().isEmpty() && !(row.owner().equals(relay) && row.expired());
                held.put(row.shard(), new Lease(store.pool(), row.shard(), row.token() + 1, unclean));
            }
        }
    }

    /** What is free, and what this relay has without knowing. */
    private boolean mayBeTaken(LeaseTable.Row row) {
        if (held.containsKey(row.shard())) {
            return false;
        }
        return row.owner().isEmpty() || row.owner().equals(relay) || (row.expired() && !isRightAfterAnOutage());
    }

    /** When all leases have expired because nobody could renew them, the others come back for theirs. */
    private boolean isRightAfterAnOutage() {
        return sinceOutage != null && !sinceOutage.hasReached(renewal);
    }

    /** Its own first; of the others, relays that start together try different ones. */
    private List<LeaseTable.Row> inOrderOfPreference(List<LeaseTable.Row> rows) {
        var rotated = new ArrayList<>(rows);
        Collections.rotate(rotated, Math.floorMod(relay.hashCode(), Math.max(1, rows.size())));
        rotated.sort(Comparator.comparing(row -> !row.owner().equals(relay)));
        return rotated;
    }

    /** For whose shards this relay waits, and for how long at most if they do not renew them; empty when it has its share. */
    synchronized String awaited() {
        return awaited;
    }

    private void tellWhoIsAwaited(LeaseTable table) {
        Map<String, List<LeaseTable.Row>> others = complete
                ? Map.of()
                : table.rows().stream()
                        .filter(row -> !row.owner().isEmpty() && !row.owner().equals(relay) && !row.expired())
                        .collect(groupingBy(LeaseTable.Row::owner, TreeMap::new, toList()));
        awaited = others.entrySet().stream()
                .map(other -> other.getKey() + " holds " + other.getValue().size() + " of " + OutboxStore.SHARDS
                        + " shards, for another "
                        + other.getValue().get(0).left().toSeconds() + " s unless it renews them")
                .collect(joining(", "));
        if (!others.isEmpty() && !others.keySet().equals(awaitedRelays)) {
            log.info("WB-117 Relay {} waits for shards of others: {}.", relay, awaited);
        }
        awaitedRelays = Set.copyOf(others.keySet());
    }
}
