package io.waybill.store.outbox;

import static java.util.stream.Collectors.joining;

import io.waybill.message.text.Json;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a relay has published since it started, as it is written beside its leases: a JSON object of destination to the numbers of published
 * and of refused messages, and why it takes none at present. Those of the busiest destinations are listed; the others are one sum, under
 * the empty name.
 *
 * @param unavailable the destinations that take no messages at present, and why
 */
public record RelayActivity(Map<String, Counts> byDestination, Counts others, Map<String, String> unavailable) {

    public static final RelayActivity NONE = new RelayActivity(Map.of(), Counts.NONE);

    /** More destinations are not listed: what a relay writes with its leases has a bound. */
    private static final int MAX_LISTED = 100;

    private static final int MAX_REASON = 200;

    /**
     * Of one destination.
     *
     * @param published accepted by a broker, or handled in the relay's process
     * @param refused attempts that were refused, or failed in a handler
     */
    public record Counts(long published, long refused) {

        public static final Counts NONE = new Counts(0, 0);

        public Counts plus(Counts other) {
            return new Counts(published + other.published, refused + other.refused);
        }

        private long sum() {
            return published + refused;
        }

        private String text(@Nullable String unavailable) {
            String reason = unavailable == null
                    ? ""
                    : "," + quoted(unavailable.substring(0, Math.min(MAX_REASON, unavailable.length())));
            return "[" + published + "," + refused + reason + "]";
        }
    }

    /** While every destination takes messages. */
    public RelayActivity(Map<String, Counts> byDestination, Counts others) {
        this(byDestination, others, Map.of());
    }

    /** Of all destinations together. */
    public Counts total() {
        return byDestination.values().stream().reduce(others, Counts::plus);
    }

    /** As it is stored; the empty text when nothing was published. */
    public String text() {
        Map<String, Counts> listed = new LinkedHashMap<>();
        unavailable.keySet().stream()
                .limit(MAX_LISTED)
                .forEach(name -> listed.put(name, byDestination.getOrDefault(name, Counts.NONE)));
        byDestination.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(
                        Comparator.comparingLong(Counts::sum).reversed()))
                .filter(entry -> !listed.containsKey(entry.getKey()))
                .limit(MAX_LISTED - listed.size())
                .forEach(entry -> listed.put(entry.getKey(), entry.getValue()));
        Counts rest = byDestination.entrySet().stream()
                .filter(entry -> !listed.containsKey(entry.getKey()))
                .map(Map.Entry::getValue)
                .reduce(others, Counts::plus);
        if (rest.sum() > 0) {
            listed.put("", rest);
        }
        return listed.isEmpty()
                ? ""
                : listed.entrySet().stream()
                        .map(entry ->
                                quoted(entry.getKey()) + ":" + entry.getValue().text(unavailable.get(entry.getKey())))
                        .collect(joining(",", "{", "}"));
    }

    private static String quoted(String name) {
        var out = new StringBuilder();
        Json.quote(out, name);
        return out.toString();
    }

    /** What a relay has written. */
    public static RelayActivity of(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        Map<String, Counts> counts = new HashMap<>();
        Map<String, String> unavailable = new HashMap<>();
        Json.readMembers(text).forEach((destination, values) -> {
            List<String> read = Json.readElements(values);
            counts.put(destination, new Counts(Long.parseLong(read.get(0)), Long.parseLong(read.get(1))));
            if (read.size() > 2) {
                unavailable.put(destination, Json.plain(read.get(2)));
            }
        });
        Counts others = counts.getOrDefault("", Counts.NONE);
        counts.remove("");
        return new RelayActivity(Map.copyOf(counts), others, Map.copyOf(unavailable));
    }
}
