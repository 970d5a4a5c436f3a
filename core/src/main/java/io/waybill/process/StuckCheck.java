package io.waybill.process;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for stuck processes every now and then, and logs each of them once.
 *
 * <p><i>Threads:</i> one looks; any may read what was found.
 */
final class StuckCheck {

    private static final Logger log = LoggerFactory.getLogger(StuckCheck.class);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** A look that takes long, because many processes are in flight, is followed by a pause that is so many times longer. */
    private static final int PAUSE = 100;

    private final Supplier<List<StuckProcess>> search;
    private final Clock clock;
    private Instant next = Instant.MIN;
    private volatile List<StuckProcess> found = List.of();

    StuckCheck(Supplier<List<StuckProcess>> search, Clock clock) {
        this.search = search;
        this.clock = clock;
    }

    List<StuckProcess> found() {
        return found;
    }

    void run() {
        Instant start = clock.instant();
        if (start.isBefore(next)) {
            return;
        }
        next = start.plus(INTERVAL);
        List<StuckProcess> before = found;
        List<StuckProcess> stuck = search.get();
        Duration pause = Duration.between(start, clock.instant()).multipliedBy(PAUSE);
        next = start.plus(pause.compareTo(INTERVAL) > 0 ? pause : INTERVAL);
        found = stuck;
        without(stuck, before)
                .forEach(process ->
                        log.warn("WB-406 {}. Nothing will move it: retry the step, or cancel the process.", process));
        without(before, stuck).forEach(process -> log.info("WB-407 It is not stuck any more: {}", process));
    }

    private static List<StuckProcess> without(List<StuckProcess> some, List<StuckProcess> others) {
        var rest = new ArrayList<>(some);
        rest.removeAll(others);
        return rest;
    }
}
