package io.waybill.relay.lease;

import io.waybill.Time;
import io.waybill.store.outbox.LeaseStore.LeaseTable;
import io.waybill.store.outbox.LeaseStore.LeaseTable.Row;
import io.waybill.store.outbox.LeaseStore.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which leases a relay may take, and in which order.
 *
 * <p><i>Threads:</i> guarded by {@link ShardLeases}.
 */
final class TakeableShards {

    private final String relay;
    private final Duration renewal;
    private final Time time;
    private Time.@Nullable Stopwatch sinceOutage;

    TakeableShards(String relay, Duration renewal, Time time) {
        this.relay = relay;
        this.renewal = renewal;
        this.time = time;
    }

    /** The database was found again after it could not be asked for so long that all leases had expired. */
    void outageEnded() {
        sinceOutage = time.stopwatch();
    }

    /** When all leases have expired because nobody could renew them, the others come back for theirs. */
    boolean isRightAfterAnOutage() {
        return sinceOutage != null && !sinceOutage.hasReached(renewal);
    }

    /** What is free, and what this relay has without knowing. */
    boolean mayBeTaken(Row row) {
        return row.owner().isEmpty() || row.owner().equals(relay) || (row.expired() && !isRightAfterAnOutage());
    }

    /** The next shards to own, as many as that, besides those that are held. */
    List<Wanted> owners(LeaseTable table, Set<Integer> held, int count) {
        return inOrderOfPreference(table.owners()).stream()
                .filter(row -> !held.contains(row.shard()) && mayBeTaken(row))
                .limit(count)
                .map(row -> new Wanted(row, List.of()))
                .toList();
    }

    /** Its own first; of the others, relays that start together try different ones. */
    private List<Row> inOrderOfPreference(List<Row> rows) {
        var rotated = new ArrayList<>(rows);
        Collections.rotate(rotated, Math.floorMod(relay.hashCode(), Math.max(1, rows.size())));
        rotated.sort(Comparator.comparing(row -> !row.owner().equals(relay)));
        return rotated;
    }
}
