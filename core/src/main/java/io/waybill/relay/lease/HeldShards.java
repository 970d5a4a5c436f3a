package io.waybill.relay.lease;

import io.waybill.relay.route.AdvertisedDestinations;
import io.waybill.store.outbox.Lease;
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
public record HeldShards(
        List<Lease> leases,
        Deadline deadline,
        AdvertisedDestinations serves,
        Map<Integer, List<AdvertisedDestinations>> excluded) {

    public HeldShards clean() {
        return only(lease -> !lease.unclean());
    }

    public HeldShards unclean() {
        return only(Lease::unclean);
    }

    HeldShards only(Predicate<Lease> which) {
        return new HeldShards(leases.stream().filter(which).toList(), deadline, serves, excluded);
    }

    /** What is left to others of this shard. */
    public List<AdvertisedDestinations> excludedFrom(int shard) {
        return excluded.getOrDefault(shard, List.of());
    }

    /** Whether messages for the destination are this relay's to claim, where it has the lease on their shard. */
    public boolean admits(int shard, String destination) {
        return serves.includes(destination)
                && excludedFrom(shard).stream().noneMatch(other -> other.includes(destination));
    }
}
