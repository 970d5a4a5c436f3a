package io.waybill.console.rate;

import static java.util.stream.Collectors.toMap;

import io.waybill.jdbc.ops.RelayNode;
import io.waybill.store.outbox.RelayActivity;
import io.waybill.store.outbox.RelayActivity.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What relays publish and what is refused in a second, by destination: the difference between the last two of their renewals that were seen,
 * in the database's time. Until a relay has been seen twice, nothing is known of it, unless it is a new one.
 *
 * <p><i>Threads:</i> one at a time.
 */
public final class ActivityRates {

    /** Of a shorter time the difference says little. */
    private static final Duration SHORTEST = Duration.ofMillis(500);

    private final Map<String, Seen> seen = new HashMap<>();
    private boolean isFirst = true;

    /**
     * A relay, as it was seen last.
     *
     * @param rates null while they are not known
     */
    private record Seen(
            Instant at, RelayActivity activity, @Nullable Rates rates) {

        Seen then(RelayNode node) {
            Duration between = Duration.between(at, node.renewedAt());
            return between.compareTo(SHORTEST) < 0
                    ? this
                    : new Seen(node.renewedAt(), node.activity(), Rates.between(activity, node.activity(), between));
        }
    }

    private record Rates(Map<String, Rate> byDestination, Rate total) {

        static Rates between(RelayActivity before, RelayActivity now, Duration time) {
            Map<String, Rate> rates = now.byDestination().entrySet().stream()
                    // What was among the others before is known from the next time on.
                    .filter(one -> before.byDestination().containsKey(one.getKey())
                            || before.others().equals(Counts.NONE))
                    .collect(toMap(
                            Map.Entry::getKey,
                            one -> Rate.between(
                                    before.byDestination().getOrDefault(one.getKey(), Counts.NONE),
                                    one.getValue(),
                                    time)));
            return new Rates(rates, Rate.between(before.total(), now.total(), time));
        }
    }

    /** Messages in a second. */
    public record Rate(double published, double refused) {

        private static final Rate NONE = new Rate(0, 0);

        static Rate between(Counts before, Counts now, Duration time) {
            double seconds = time.toNanos() / 1e9;
            return new Rate(
                    Math.max(0, now.published() - before.published()) / seconds,
                    Math.max(0, now.refused() - before.refused()) / seconds);
        }

        private Rate plus(Rate other) {
            return new Rate(published + other.published, refused + other.refused);
        }

        /** Which part of the attempts was refused, from 0 to 1; nothing where there was none. */
        public Optional<Double> refusedShare() {
            double all = published + refused;
            return all == 0 ? Optional.empty() : Optional.of(refused / all);
        }
    }

    /** These are the relays now. */
    public void look(List<RelayNode> nodes) {
        Map<String, RelayNode> alive =
                nodes.stream().filter(RelayNode::isAlive).collect(toMap(RelayNode::relay, node -> node));
        seen.keySet().retainAll(alive.keySet());
        alive.forEach((name, node) -> {
            Seen before = seen.get(name);
            if (before == null && isFirst) {
                seen.put(name, new Seen(node.renewedAt(), node.activity(), null));
            } else {
                seen.put(
                        name,
                        (before == null ? new Seen(node.startedAt(), RelayActivity.NONE, null) : before).then(node));
            }
        });
        isFirst = false;
    }

    /** The destinations that take no messages of some relay, and why. */
    public Map<String, String> unavailable() {
        var all = new TreeMap<String, String>();
        seen.values().forEach(one -> all.putAll(one.activity().unavailable()));
        return all;
    }

    /** The destinations to which anything was published or refused since the relays started. */
    public Set<String> destinations() {
        var all = new TreeSet<String>();
        seen.values().forEach(one -> all.addAll(one.activity().byDestination().keySet()));
        return all;
    }

    /** Of a destination; nothing while it is not known. */
    public Optional<Rate> of(String destination) {
        return known().map(rates -> rates.stream()
                .map(one -> one.byDestination().getOrDefault(destination, Rate.NONE))
                .reduce(Rate.NONE, Rate::plus));
    }

    /** Of all destinations; nothing while it is not known. */
    public Optional<Rate> total() {
        return known().map(rates -> rates.stream().map(Rates::total).reduce(Rate.NONE, Rate::plus));
    }

    /** Without a relay nothing is published, and that is known. */
    private Optional<List<Rates>> known() {
        List<Rates> known = seen.values().stream()
                .map(Seen::rates)
                .flatMap(rates -> Optional.ofNullable(rates).stream())
                .toList();
        return known.isEmpty() && !seen.isEmpty() ? Optional.empty() : Optional.of(known);
    }
}
