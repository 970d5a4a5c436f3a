package io.waybill.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Which relay of one pool owns which shard. Relays with the same routes are a pool; what goes to other destinations is left to
 * other pools, each with leases of its own. Times are the database's: the clocks of relays are never compared.
 *
 * <p><i>Transaction:</i> every method commits by itself.
 */
public interface LeaseStore {

    /** The pool of relays that know of no other. */
    String DEFAULT_POOL = "default";

    /** Whether a pool may be called so: it stands in statements as it is. */
    static boolean isPoolName(String name) {
        return name.matches("[A-Za-z0-9._-]{1,64}");
    }

    /** Whose leases these are. */
    String pool();

    /** Says that this relay lives, extends what it holds until {@code claimTimeout} from now, and shows the whole table. */
    LeaseTable renew(String relay, Duration claimTimeout);

    /** Takes those of the shards that are free and that nobody has taken since they were seen. */
    Set<Integer> take(Collection<LeaseTable.Row> seen, String relay, Duration claimTimeout);

    /** Gives these shards back, as far as the relay still holds them. */
    void release(String relay, Collection<Integer> shards);

    /** Gives everything back and forgets the relay. */
    void leave(String relay);

    /** The table at one moment: every shard, and how many relays of the pool live. */
    record LeaseTable(List<Row> rows, int liveRelays) {

        /**
         * One shard.
         *
         * @param owner empty when nobody has it
         * @param expired when its owner stopped renewing
         */
        public record Row(int shard, String owner, long token, boolean expired) {

            public boolean isFree() {
                return owner.isEmpty() || expired;
            }

            public boolean isHeldBy(String relay) {
                return !expired && owner.equals(relay);
            }
        }
    }
}
