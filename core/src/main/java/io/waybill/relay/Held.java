package io.waybill.relay;

import io.waybill.store.Lease;
import io.waybill.transport.Deadline;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What a relay owns, and until when messages that are claimed now may be sent: until a lease is lost, or could have been lost without
 * being noticed.
 *
 * @param serves what the other relays know that it serves
 * @param excluded what is left to others with leases on the same shards, by shard
 */
record Held(List<Lease> leases, Deadline deadline, Served serves, Map<Integer, List<Served>> excluded) {

    Held trusted() {
        return only(lease -> !lease.unclean());
    }

    Held suspected() {
        return only(Lease::unclean);
    }

    Held only(Predicate<Lease> which) {
        return new Held(leases.stream().filter(which).toList(), deadline, serves, excluded);
    }

    /** What is left to others of this shard. */
    List<Served> excludedFrom(int shard) {
        return excluded.getOrDefault(shard, List.of());
    }

    /** Whether messages for the destination are this relay's to claim, where it has the lease on their shard. */
    boolean admits(int shard, String destination) {
        return serves.includes(destination)
                && excludedFrom(shard).stream().noneMatch(other -> other.includes(destination));
    }
}
