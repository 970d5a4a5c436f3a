package io.waybill.relay;

import io.waybill.Time;
import io.waybill.store.outbox.Settlements;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that this relay has put off for less than a sweep: they are looked for in between, so that a short pause is short.
 *
 * <p><i>Threads:</i> the relay's own.
 */
final class ShortRetries {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private final Time time;
    private final Duration sweepInterval;
    private Time.@Nullable Stopwatch sinceLook;

    /** Since the last of them was put off; nothing when none is expected. */
    private Time.@Nullable Stopwatch since;

    private Duration longest = Duration.ZERO;

    ShortRetries(Time time, Duration sweepInterval) {
        this.time = time;
        this.sweepInterval = sweepInterval;
    }

    /** These were written. */
    void expect(List<Settlements.Retry> retries) {
        for (Settlements.Retry retry : retries) {
            if (retry.delay().compareTo(sweepInterval) < 0) {
                since = time.stopwatch();
                longest = retry.delay().compareTo(longest) > 0 ? retry.delay() : longest;
            }
        }
    }

    boolean isTimeToLook() {
        return since != null && (sinceLook == null || sinceLook.hasReached(BETWEEN_LOOKS));
    }

    /** Somebody looks for whatever is due, now. */
    void look() {
        sinceLook = time.stopwatch();
        if (since != null && since.hasReached(longest)) {
            since = null;
            longest = Duration.ZERO;
        }
    }
}
