package io.waybill.relay.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The routes of relays; the first that matches a destination is its route. More may be added while relays run.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Routes {

    private final List<Route> routes;
    private final Map<String, Optional<Route>> found = new ConcurrentHashMap<>();

    private volatile AdvertisedDestinations served;

    private Routes(List<Route> routes) {
        this.routes = new CopyOnWriteArrayList<>(routes);
        this.served = AdvertisedDestinations.by(routes);
    }

    public static Routes of(Route... routes) {
        return new Routes(List.of(routes));
    }

    /** A route before all others. */
    public synchronized void prepend(Route route) {
        routes.add(0, route);
        changed();
    }

    /** A route behind all others. */
    public synchronized void append(Route route) {
        routes.add(route);
        changed();
    }

    private void changed() {
        found.clear();
        served = AdvertisedDestinations.by(routes);
    }

    /** What they serve, for other relays to read; another one whenever there are more routes. */
    public AdvertisedDestinations served() {
        return served;
    }

    /** The route of a destination; nothing when this relay has none and leaves the destination to others. */
    public Optional<Route> to(String destination) {
        Optional<Route> known = found.get(destination);
        return known != null ? known : found.computeIfAbsent(destination, this::find);
    }

    private Optional<Route> find(String destination) {
        List<Route> matching = routes.stream()
                .filter(route -> route.pattern().matches(destination))
                .toList();
        boolean here = !matching.isEmpty() && matching.get(0).target() instanceof RouteTarget.Here;
        return matching.stream()
                .filter(route -> !here || route.target() instanceof RouteTarget.Handled)
                .findFirst();
    }

    /** Whether messages for this destination leave the process. */
    public boolean leadToABroker(String destination) {
        return to(destination)
                .filter(route -> route.target() instanceof RouteTarget.Sent)
                .isPresent();
    }

    /** Whether messages for any destination leave the process. */
    public boolean leadToABroker() {
        return routes.stream().anyMatch(route -> route.target() instanceof RouteTarget.Sent);
    }

    /** The destinations seen so far that are like this. */
    public Set<String> seen(Predicate<String> like) {
        return found.keySet().stream().filter(like).collect(Collectors.toSet());
    }

    /** The destinations seen so far that this relay has no route for. */
    public Set<String> foreign() {
        return found.entrySet().stream()
                .filter(destination -> destination.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
