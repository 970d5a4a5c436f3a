package io.waybill.relay.route;

import io.waybill.WaybillException;
import io.waybill.message.DestinationPattern;
import io.waybill.message.text.NearestName;
import io.waybill.outbox.DestinationCheck;
import io.waybill.outbox.Unrouted;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which destinations somebody serves: a route or handler of this process, as they are now, or a relay that lived when it was looked for
 * last. Appending does not query the database.
 *
 * <p><i>Threads:</i> safe.
 */
public final class ServedDestinations implements DestinationCheck {

    private static final Logger log = LoggerFactory.getLogger(ServedDestinations.class);

    /** More destinations than this are not remembered: then a warning may be repeated. */
    private static final int MAX_WARNED = 1_000;

    private final Supplier<AdvertisedDestinations> local;
    private final Supplier<? extends Collection<String>> live;
    private final Unrouted unrouted;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private volatile List<AdvertisedDestinations> others = List.of();

    /**
     * Of a process with these routes.
     *
     * @param live what the relays that live serve, as they have written it
     */
    public ServedDestinations(Routes local, Supplier<? extends Collection<String>> live, Unrouted unrouted) {
        this(local::served, live, unrouted);
    }

    /** Of a process that only appends. */
    public ServedDestinations(Supplier<? extends Collection<String>> live, Unrouted unrouted) {
        this(Routes.of(), live, unrouted);
    }

    private ServedDestinations(
            Supplier<AdvertisedDestinations> local, Supplier<? extends Collection<String>> live, Unrouted unrouted) {
        this.local = local;
        this.live = live;
        this.unrouted = unrouted;
    }

    /** Looks which relays live, and what they serve. */
    public void refresh() {
        others = live.get().stream().distinct().map(AdvertisedDestinations::of).toList();
        warned.stream().filter(this::isServed).toList().forEach(destination -> {
            warned.remove(destination);
            log.info("WB-123 '{}' is served now.", destination);
        });
    }

    /** Waybill's own destinations wait for whom they are for, which is said elsewhere. */
    public boolean isServed(String destination) {
        return DestinationPattern.isReserved(destination)
                || local.get().includes(destination)
                || others.stream().anyMatch(other -> other.includes(destination));
    }

    /** What may be meant by a destination that nobody serves. */
    public Optional<String> nearest(String destination) {
        return NearestName.to(
                destination,
                Stream.concat(Stream.of(local.get()), others.stream())
                        .flatMap(AdvertisedDestinations::patterns)
                        .filter(pattern -> !DestinationPattern.isReserved(pattern))
                        .distinct()
                        .toList());
    }

    @Override
    public void check(String destination, boolean mayRefuse) {
        if (isServed(destination)) {
            return;
        }
        if (mayRefuse && unrouted == Unrouted.REFUSE) {
            throw new WaybillException("Nothing serves the destination '" + destination
                    + "': neither this application nor a live relay has a route, subscriber or handler for it."
                    + didYouMean(destination)
                    + " Nothing was written. Add a route or a handler, start the relay that has one, or set unrouted to"
                    + " 'warn' to let such messages wait.");
        }
        if (warned.size() < MAX_WARNED && warned.add(destination)) {
            log.warn(
                    "WB-121 A message for '{}' waits in the outbox, because neither this application nor a live relay"
                            + " has a route, subscriber or handler for it.{}",
                    destination,
                    didYouMean(destination));
        }
    }

    private String didYouMean(String destination) {
        return nearest(destination).map(name -> " Did you mean '" + name + "'?").orElse("");
    }
}
