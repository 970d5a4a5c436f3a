package io.waybill.relay;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which shards this relay owns: an even share, renewed long before it expires, taken from relays that stopped renewing.
 *
 * <p><i>Threads:</i> safe. The relay's own thread changes what is owned; another may keep it alive meanwhile.
 */
final class Leasing {

    private static final Logger log = LoggerFactory.getLogger(Leasing.class);
    private static final Duration LONGEST_RENEWAL = Duration.ofSeconds(5);

    private final LeaseStore store;
    private final String relay;
    private final Duration claimTimeout;
    private final Duration renewal;
    private final Time time;
    private final RelayListener listener;
    private final Consumer<String> takenOver;
    private final Map<Integer, Lease> held = new TreeMap<>();
    private Time.@Nullable Stopwatch sinceRenewal;
    private Time.@Nullable Stopwatch sinceBalance;
    private boolean complete;
    private long losses;

    /** @param takenOver is told the names of relays that stopped answering, when shards of theirs have been taken */
    Leasing(
            LeaseStore store,
            String relay,
            Duration claimTimeout,
            Time time,
            RelayListener listener,
            Consumer<String> takenOver) {
        this.store = store;
        this.relay = relay;
        this.claimTimeout = claimTimeout;
        Duration third = claimTimeout.dividedBy(3);
        this.renewal = third.compareTo(LONGEST_RENEWAL) < 0 ? third : LONGEST_RENEWAL;
        this.time = time;
        this.listener = listener;
        this.takenOver = takenOver;
    }

    /** How often leases are renewed. */
    Duration renewal() {
        return renewal;
    }

    /** What this relay owns now. Renews when it is time, and as long as it has less than its share. */
    synchronized Held current() {
        if (sinceBalance == null || !complete || sinceBalance.hasReached(renewal)) {
            balance(renew());
            sinceBalance = time.stopwatch();
        }
        long losses = this.losses;
        return new Held(List.copyOf(held.values()), () -> !isSafeSince(losses));
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
    private synchronized boolean isSafeSince(long losses) {
        return this.losses == losses && sinceRenewal != null && !sinceRenewal.mayHaveReached(claimTimeout.dividedBy(2));
    }

    /** The shard has shown that it is harmless. */
    synchronized void clear(int shard) {
        held.computeIfPresent(shard, (number, lease) -> new Lease(lease.pool(), number, lease.token(), false));
    }

    synchronized void leave() {
        held.clear();
        sinceRenewal = null;
        sinceBalance = null;
        store.leave(relay);
    }

    private LeaseTable renew() {
        var started = time.stopwatch();
        LeaseTable table = store.renew(relay, claimTimeout);
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
            log.warn(
                    "WB-101 Relay {} lost {} of {} shards to other relays: it did not renew within {}.",
                    relay,
                    before - held.size(),
                    before,
                    claimTimeout);
            listener.leasesLost(before - held.size());
        }
    }

    private void balance(LeaseTable table) {
        int before = held.size();
        int share = (OutboxStore.SHARDS + table.liveRelays() - 1) / table.liveRelays();
        if (held.size() > share) {
            giveBack(held.size() - share);
        } else if (held.size() < share) {
            take(table, share - held.size());
        }
        complete = held.size() >= OutboxStore.SHARDS / table.liveRelays();
        if (held.size() != before) {
            log.info("Relay {} owns {} of {} shards.", relay, held.size(), OutboxStore.SHARDS);
            listener.leasesChanged(held.size());
        }
    }

    private void giveBack(int count) {
        List<Integer> shards = held.keySet().stream().limit(count).toList();
        store.release(relay, shards);
        held.keySet().removeAll(shards);
    }

    private void take(LeaseTable table, int count) {
        List<LeaseTable.Row> wanted = startingSomewhere(table.rows()).stream()
                .filter(LeaseTable.Row::isFree)
                .limit(count)
                .toList();
        Set<Integer> taken = wanted.isEmpty() ? Set.of() : store.take(wanted, relay, claimTimeout);
        for (var row : wanted) {
            if (taken.contains(row.shard())) {
                boolean unclean = !row.owner().isEmpty() && !row.owner().equals(relay);
                held.put(row.shard(), new Lease(store.pool(), row.shard(), row.token() + 1, unclean));
                if (unclean) {
                    takenOver.accept(row.owner());
                }
            }
        }
    }

    /** Relays that start together try different shards first. */
    private List<LeaseTable.Row> startingSomewhere(List<LeaseTable.Row> rows) {
        var rotated = new ArrayList<>(rows);
        Collections.rotate(rotated, Math.floorMod(relay.hashCode(), Math.max(1, rows.size())));
        return rotated;
    }
}
