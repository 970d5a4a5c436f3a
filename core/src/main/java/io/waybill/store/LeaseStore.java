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

    /**
     * Says that this relay lives, extends these leases until {@code leaseTime} from now as far as it still has them, and shows the whole
     * table.
     *
     * @param held what the relay knows to have: a lease that it has without knowing must expire
     */
    LeaseTable renew(String relay, Collection<Lease> held, Duration leaseTime);

    /** Takes those of the shards that are free or the relay's own, and that nobody has taken since they were seen. */
    Set<Integer> take(Collection<LeaseTable.Row> seen, String relay, Duration leaseTime);

    /** Gives these shards back, as far as the relay still holds them. */
    void release(String relay, Collection<Integer> shards);

    /** Lets these leases expire at once, as if the relay had stopped answering: something of these shards may still be in flight. */
    void abandon(String relay, Collection<Integer> shards);

    /** Gives everything back that was not abandoned, and forgets the relay. */
    void leave(String relay);

    /** The table at one moment: every shard, and how many relays of the pool live. */
    record LeaseTable(List<Row> rows, int liveRelays) {

        /**
         * One shard.
         *
         * @param owner empty when nobody has it
         * @param left until it expires; negative when its owner stopped renewing
         */
        public record Row(int shard, String owner, long token, Duration left) {

            public boolean expired() {
                return left.isNegative();
            }

            public boolean isFree() {
                return owner.isEmpty() || expired();
            }

            public boolean isHeldBy(String relay) {
                return !expired() && owner.equals(relay);
            }
        }
    }
}
