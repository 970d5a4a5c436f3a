package io.waybill;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Runs something at most once in an interval, and longer apart when it takes long: it never needs more than a hundredth of the time.
 *
 * <p><i>Threads:</i> one at a time.
 */
public final class Pace {

    private static final int PAUSE = 100;

    private final Clock clock;
    private final Duration interval;
    private Instant next = Instant.MIN;

    public Pace(Clock clock, Duration interval) {
        this.clock = clock;
        this.interval = interval;
    }

    /** Runs the work if it is time. When it fails, it is tried again after the interval. */
    public void run(Runnable work) {
        Instant start = clock.instant();
        if (start.isBefore(next)) {
            return;
        }
        next = start.plus(interval);
        work.run();
        Duration pause = Duration.between(start, clock.instant()).multipliedBy(PAUSE);
        next = start.plus(pause.compareTo(interval) > 0 ? pause : interval);
    }
}
