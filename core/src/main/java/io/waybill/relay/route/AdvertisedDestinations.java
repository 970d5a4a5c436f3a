package io.waybill.relay.route;

import static java.util.stream.Collectors.joining;

import io.waybill.message.DestinationPattern;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which destinations a relay serves, as other relays on the same tables read it. It must say of every destination exactly what the relay's
 * {@link Routes} say: what one relay believes that another serves, it leaves to it.
 *
 * <p><i>Threads:</i> safe.
 */
public final class AdvertisedDestinations {

    /** Of a relay about which nothing is known: nothing is taken from it. */
    public static final AdvertisedDestinations EVERYTHING = new AdvertisedDestinations("", List.of());

    private static final String EVERY_DESTINATION = "**";

    private final String text;
    private final List<Entry> entries;
    private final Map<String, Boolean> included = new ConcurrentHashMap<>();

    private AdvertisedDestinations(String text, List<Entry> entries) {
        this.text = text;
        this.entries = entries;
    }

    /** One route: to a broker, to a handler, or to the handlers that this process has for the destination. */
    private record Entry(char target, DestinationPattern pattern) {

        static final char SENT = '>';
        static final char HANDLED = '=';
        static final char HERE = '~';

        static Entry of(Route route) {
            char target = route.target() instanceof RouteTarget.Sent
                    ? SENT
                    : route.target() instanceof RouteTarget.Handled ? HANDLED : HERE;
            return new Entry(target, route.pattern());
        }

        static Entry of(String line) {
            return new Entry(
                    line.charAt(0),
                    DestinationPattern.of(line.substring(1).replace("\\n", "\n").replace("\\b", "\\")));
        }

        String line() {
            return target + pattern.toString().replace("\\", "\\b").replace("\n", "\\n");
        }

        boolean isExact() {
            return pattern.toString().indexOf('*') < 0;
        }
    }

    static AdvertisedDestinations by(List<Route> routes) {
        List<Entry> entries = routes.stream().map(Entry::of).toList();
        return new AdvertisedDestinations(entries.stream().map(Entry::line).collect(joining("\n")), entries);
    }

    public static AdvertisedDestinations of(String text) {
        return new AdvertisedDestinations(
                text,
                Arrays.stream(text.split("\n"))
                        .filter(line -> line.length() > 1)
                        .map(Entry::of)
                        .toList());
    }

    public String text() {
        return text;
    }

    /**
     * A route, for people.
     *
     * @param destinations a pattern
     * @param target {@code broker}, {@code handler} or {@code local}
     */
    public record AdvertisedRoute(String destinations, String target) {}

    /** The routes in their order: the first that matches a destination is its route. */
    public List<AdvertisedRoute> routes() {
        return entries.stream()
                .map(entry -> new AdvertisedRoute(
                        entry.pattern().toString(),
                        switch (entry.target()) {
                            case Entry.SENT -> "broker";
                            case Entry.HANDLED -> "handler";
                            default -> "local";
                        }))
                .toList();
    }

    /** The destinations it is about, as its routes say them. */
    public Stream<String> patterns() {
        return entries.stream()
                .filter(entry -> entry.target() != Entry.HERE)
                .map(entry -> entry.pattern().toString());
    }

    public boolean includes(String destination) {
        return this == EVERYTHING || included.computeIfAbsent(destination, this::matches);
    }

    private boolean matches(String destination) {
        List<Entry> matching = entries.stream()
                .filter(entry -> entry.pattern().matches(destination))
                .toList();
        Predicate<Entry> serves = !matching.isEmpty() && matching.get(0).target() == Entry.HERE
                ? entry -> entry.target() == Entry.HANDLED
                : entry -> true;
        return matching.stream().anyMatch(serves);
    }

    /** Whether it may serve a destination that none of these serves. Of two patterns nobody can say; then it may. */
    public boolean addsTo(Collection<AdvertisedDestinations> others) {
        return this != EVERYTHING
                && entries.stream()
                        .filter(entry -> entry.target() != Entry.HERE)
                        .anyMatch(entry -> others.stream().noneMatch(other -> other.covers(entry)));
    }

    private boolean covers(Entry wanted) {
        if (this == EVERYTHING) {
            return true;
        }
        if (wanted.isExact()) {
            return includes(wanted.pattern().toString());
        }
        String pattern = wanted.pattern().toString();
        return entries.stream().noneMatch(entry -> entry.target() == Entry.HERE)
                && entries.stream()
                        .map(entry -> entry.pattern().toString())
                        .anyMatch(own -> own.equals(pattern)
                                || (own.equals(EVERY_DESTINATION) && !DestinationPattern.isReserved(pattern)));
    }
}
