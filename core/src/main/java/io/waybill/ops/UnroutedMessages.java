package io.waybill.ops;

import io.waybill.Pace;
import io.waybill.relay.route.ServedDestinations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every minute for messages that wait for a destination which nobody serves, also those written in SQL, and logs each destination once.
 *
 * <p><i>Threads:</i> one looks; any may read what was found.
 */
public final class UnroutedMessages {

    private static final Logger log = LoggerFactory.getLogger(UnroutedMessages.class);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final OutboxOperations outbox;
    private final ServedDestinations served;
    private final Clock clock;
    private final Pace pace;
    private volatile List<UnroutedDestination> found = List.of();

    public UnroutedMessages(OutboxOperations outbox, ServedDestinations served, Clock clock) {
        this.outbox = outbox;
        this.served = served;
        this.clock = clock;
        this.pace = new Pace(clock, INTERVAL);
    }

    /** What was found last. */
    public List<UnroutedDestination> found() {
        return found;
    }

    /** Looks, if it is time. */
    public void look() {
        pace.run(() -> {
            List<UnroutedDestination> now = among(outbox, served);
            Set<String> known =
                    found.stream().map(UnroutedDestination::destination).collect(Collectors.toSet());
            found = now;
            Instant moment = clock.instant();
            now.stream()
                    .filter(one -> !known.contains(one.destination()))
                    .forEach(one -> log.warn("WB-122 {}", one.words(moment)));
        });
    }

    /** What waits now. */
    public static List<UnroutedDestination> among(OutboxOperations outbox, ServedDestinations served) {
        return outbox.stats().stream()
                .filter(some -> some.oldestPending() != null && !served.isServed(some.destination()))
                .map(some -> new UnroutedDestination(
                        some.destination(),
                        some.pending() + some.waiting() + some.held(),
                        Objects.requireNonNull(some.oldestPending()),
                        served.nearest(some.destination())))
                .toList();
    }
}
