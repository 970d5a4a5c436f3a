package io.waybill.relay.lease;

import io.waybill.relay.route.AdvertisedDestinations;
import io.waybill.store.outbox.LeaseStore.LeaseTable;
import io.waybill.store.outbox.LeaseStore.LeaseTable.Row;
import io.waybill.store.outbox.LeaseStore.Taken;
import io.waybill.store.outbox.LeaseStore.Wanted;
import io.waybill.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Shards that relays with different routes share. The owner of a shard serves what it can; one of those who serve something else has a
 * lease above it, and leaves to the owner whatever both serve.
 *
 * <p>A relay that takes a lease knows the relays below: what they serve is theirs for as long as its own lease lasts, and when one of them goes,
 * it gives its lease back. Relays that had leases above at that moment do not know of it yet: what they serve stays theirs until they have given
 * their leases back, or have lost them.
 *
 * <p><i>Threads:</i> guarded by {@link ShardLeases}.
 */
final class SharedShards {

    private final String relay;
    private final Map<Integer, Standing> standings = new TreeMap<>();
    private final Map<String, AdvertisedDestinations> parsed = new HashMap<>();

    SharedShards(String relay) {
        this.relay = relay;
    }

    /** Another relay's lease on a shard, and what it serves. */
    private record Neighbour(Row row, AdvertisedDestinations serves) {}

    /** With whom a shard is shared. */
    private record Standing(List<Neighbour> below, List<Neighbour> above) {

        List<AdvertisedDestinations> excluded() {
            return Stream.concat(below.stream(), above.stream())
                    .map(Neighbour::serves)
                    .toList();
        }
    }

    /** What changed since the table was seen last. */
    static final class Review {

        /** Of these the relays below have changed: what they left is for others to take. */
        final List<Integer> outdated = new ArrayList<>();

        /** Above these, a relay stopped answering: what it was working on may be sent again. */
        final List<Integer> unclean = new ArrayList<>();

        /** Leases above that have expired, and are to be ended. */
        final List<Row> expired = new ArrayList<>();

        /** Whether this relay serves something from now on that another one served. */
        boolean widened;

        /** Relays that stopped answering. */
        final List<String> dead = new ArrayList<>();
    }

    /**
     * Compares with the table.
     *
     * @param mayEnd whether leases that have expired may be ended
     */
    Review review(LeaseTable table, boolean mayEnd) {
        var review = new Review();
        standings.replaceAll((shard, standing) -> review(shard, standing, table, mayEnd, review));
        standings.values().removeIf(standing -> standing.excluded().isEmpty());
        return review;
    }

    private Standing review(int shard, Standing standing, LeaseTable table, boolean mayEnd, Review review) {
        for (Neighbour neighbour : standing.below) {
            Row now = now(neighbour, table);
            if (!neighbour.row.isSame(now) || now.expired()) {
                review.outdated.add(shard);
            }
            if (hasDied(neighbour, now)) {
                review.dead.add(neighbour.row.owner());
            }
        }
        List<Neighbour> above = new ArrayList<>();
        for (Neighbour neighbour : standing.above) {
            Row now = now(neighbour, table);
            if (neighbour.row.isSame(now) && !(now.expired() && mayEnd)) {
                above.add(new Neighbour(neighbour.row, served(now.owner(), table)));
            } else if (hasDied(neighbour, now)) {
                review.dead.add(neighbour.row.owner());
                review.unclean.add(shard);
                if (neighbour.row.isSame(now)) {
                    review.expired.add(now);
                }
            }
        }
        review.widened |= above.size() < standing.above.size();
        return new Standing(standing.below, above);
    }

    private static Row now(Neighbour neighbour, LeaseTable table) {
        int shard = neighbour.row.shard();
        int level = neighbour.row.level();
        return table.at(shard, level).orElseGet(() -> Row.none(shard, level));
    }

    /** Or has perhaps: a token that has risen by two may have been given back and taken twice. */
    private static boolean hasDied(Neighbour neighbour, Row now) {
        return neighbour.row.isSame(now) ? now.expired() : now.token() > neighbour.row.token() + 1;
    }

    /** Whether it waits for relays that do not know of its leases. */
    boolean isWaiting() {
        return standings.values().stream().anyMatch(standing -> !standing.above.isEmpty());
    }

    /** Whether there are relays in the pool with other routes. */
    static boolean isMixed(LeaseTable table, AdvertisedDestinations serves) {
        return table.relays().values().stream().anyMatch(other -> !other.equals(serves.text()));
    }

    /** The leases that this relay should have besides its own shards. */
    List<Wanted> wanted(LeaseTable table, AdvertisedDestinations serves, Set<Integer> held, Predicate<Row> mayBeTaken) {
        List<Wanted> wanted = new ArrayList<>();
        for (int shard = 0; shard < OutboxStore.SHARDS; shard++) {
            if (!held.contains(shard)) {
                addWanted(shard, table, serves, mayBeTaken, wanted);
            }
        }
        return wanted;
    }

    private void addWanted(
            int shard,
            LeaseTable table,
            AdvertisedDestinations serves,
            Predicate<Row> mayBeTaken,
            List<Wanted> wanted) {
        List<Row> below = new ArrayList<>();
        int level = 0;
        while (true) {
            int next = level;
            Row row = table.at(shard, level).orElseGet(() -> Row.none(shard, next));
            if (row.isFree() || row.owner().equals(relay)) {
                if (level > 0 && mayBeTaken.test(row) && isChosen(shard, below, table, serves)) {
                    wanted.add(new Wanted(row, List.copyOf(below)));
                }
                return;
            }
            below.add(row);
            if (!serves.addsTo(served(below, table))) {
                return;
            }
            level++;
        }
    }

    /** These are better served by another relay, which came later. */
    List<Integer> unchosen(LeaseTable table, AdvertisedDestinations serves) {
        return standings.entrySet().stream()
                .filter(standing -> !standing.getValue().below.isEmpty())
                .filter(standing -> !isChosen(
                        standing.getKey(),
                        standing.getValue().below.stream().map(Neighbour::row).toList(),
                        table,
                        serves))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Of all who serve something that those below do not serve, everybody chooses the same one. */
    private boolean isChosen(int shard, List<Row> below, LeaseTable table, AdvertisedDestinations serves) {
        List<AdvertisedDestinations> lower = served(below, table);
        return table.relays().keySet().stream()
                .filter(other -> below.stream().noneMatch(row -> row.owner().equals(other)))
                .filter(other -> (other.equals(relay) ? serves : served(other, table)).addsTo(lower))
                .max(Comparator.comparingInt((String other) -> weight(other, shard, below.size()))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(relay::equals)
                .isPresent();
    }

    private static int weight(String relay, int shard, int level) {
        int hash = (relay + '/' + shard + '/' + level).hashCode() * 0x9E3779B9;
        return (hash ^ (hash >>> 15)) * 0x85EBCA6B;
    }

    /** Remembers with whom the shard is shared. What those above serve is looked at when the table is read again: they may have come since. */
    void taken(Taken taken, Wanted wanted, LeaseTable table) {
        List<Neighbour> below = wanted.below().stream()
                .map(row -> new Neighbour(row, served(row.owner(), table)))
                .toList();
        List<Neighbour> above = taken.above().stream()
                .filter(row -> !row.owner().isEmpty() && !row.owner().equals(relay))
                .map(row -> new Neighbour(row, AdvertisedDestinations.EVERYTHING))
                .toList();
        if (below.isEmpty() && above.isEmpty()) {
            standings.remove(taken.shard());
        } else {
            standings.put(taken.shard(), new Standing(below, above));
        }
    }

    /** What is left to others, by shard. */
    Map<Integer, List<AdvertisedDestinations>> excluded() {
        Map<Integer, List<AdvertisedDestinations>> excluded = new HashMap<>();
        standings.forEach((shard, standing) -> excluded.put(shard, standing.excluded()));
        return excluded;
    }

    void retain(Collection<Integer> held) {
        standings.keySet().retainAll(held);
    }

    private List<AdvertisedDestinations> served(List<Row> rows, LeaseTable table) {
        return rows.stream().map(row -> served(row.owner(), table)).toList();
    }

    private AdvertisedDestinations served(String other, LeaseTable table) {
        String text = table.relays().get(other);
        return text == null
                ? AdvertisedDestinations.EVERYTHING
                : parsed.computeIfAbsent(text, AdvertisedDestinations::of);
    }
}
