package io.waybill.store.outbox;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which relay of one pool owns which shard. Times are the database's: the clocks of relays are never compared.
 *
 * <p>A shard has an owner, at level 0. Where the owner does not serve every destination that others of the pool serve, another relay has
 * a lease at level 1, for what the owner lacks; and so on. A lease is taken on the condition that those below it are held by whom they
 * were held when the table was read, and shows which are above it, because these were taken on the condition of somebody else: so for any two
 * relays with a lease on a shard, the later of them knows the earlier one.
 *
 * <p><i>Transaction:</i> every method commits by itself.
 */
public interface LeaseStore {

    /** The pool of relays that know of no other. */
    String DEFAULT_POOL = "default";

    /** Whether a pool may be called so: it stands in statements as it is. */
    static boolean isPoolName(String name) {
        return name.matches("[A-Za-z0-9._-]{1,60}");
    }

    /** Whose leases these are. */
    String pool();

    /**
     * Says that this relay lives and what it serves, extends these leases until {@code leaseTime} from now as far as it still has them, and
     * shows the whole table.
     *
     * @param serves which destinations, as relays read it; others see it before any lease that is taken later
     * @param activity what it has published, as {@link RelayActivity} writes it
     * @param held what the relay knows to have: a lease that it has without knowing must expire
     */
    LeaseTable renew(String relay, String serves, String activity, Collection<Lease> held, Duration leaseTime);

    /** The same for a relay that has published nothing. */
    default LeaseTable renew(String relay, String serves, Collection<Lease> held, Duration leaseTime) {
        return renew(relay, serves, "", held, leaseTime);
    }

    /** The destinations to which an operator lets no relay send, of whichever pool. */
    List<PausedDestination> paused();

    /**
     * Takes those of the leases that are free or the relay's own, and that nobody has taken since they were seen, neither them nor those
     * below them. The token rises by one, and by two when the lease was taken from a relay that stopped renewing it.
     */
    List<Taken> take(Collection<Wanted> wanted, String relay, Duration leaseTime);

    /** Gives these leases back, as far as the relay still holds them. */
    void release(String relay, Collection<Lease> leases);

    /** Lets these leases expire at once, as if the relay had stopped answering: something of these shards may still be in flight. */
    void abandon(String relay, Collection<Lease> leases);

    /** Ends these leases, if they have expired and nobody has taken them since: nothing is settled under them any more. */
    void end(Collection<LeaseTable.Row> expired);

    /** Gives everything back that was not abandoned, and forgets the relay. */
    void leave(String relay);

    /**
     * A lease that a relay would like to have.
     *
     * @param row as it was seen
     * @param below the leases of the shard at lower levels, as they were seen
     */
    record Wanted(LeaseTable.Row row, List<LeaseTable.Row> below) {}

    /**
     * A lease that a relay has got.
     *
     * @param above who else had leases on the shard, at higher levels: they do not know of this one
     */
    record Taken(int shard, int level, long token, List<LeaseTable.Row> above) {}

    /**
     * The table at one moment.
     *
     * @param rows every shard at level 0, and whatever else there is
     * @param relays the relays of the pool that live, and what they serve
     */
    record LeaseTable(List<Row> rows, Map<String, String> relays) {

        public LeaseTable {
            rows = rows.stream()
                    .sorted(Comparator.comparingInt(Row::level).thenComparingInt(Row::shard))
                    .toList();
            relays = Map.copyOf(relays);
        }

        public int liveRelays() {
            return Math.max(1, relays.size());
        }

        /** The owners of the shards. */
        public List<Row> owners() {
            return rows.stream().filter(row -> row.level() == 0).toList();
        }

        public Optional<Row> at(int shard, int level) {
            return rows.stream()
                    .filter(row -> row.shard() == shard && row.level() == level)
                    .findFirst();
        }

        /**
         * One lease.
         *
         * @param owner empty when nobody has it
         * @param left until it expires; negative when its owner stopped renewing
         */
        public record Row(int shard, int level, String owner, long token, Duration left) {

            /** What nobody has ever had. */
            public static Row none(int shard, int level) {
                return new Row(shard, level, "", 0, Duration.ZERO);
            }

            public boolean expired() {
                return left.isNegative();
            }

            public boolean isFree() {
                return owner.isEmpty() || expired();
            }

            public boolean isHeldBy(String relay) {
                return !expired() && owner.equals(relay);
            }

            /** Whether the same relay still has the same lease. */
            public boolean isSame(Row later) {
                return owner.equals(later.owner) && token == later.token;
            }
        }
    }
}
