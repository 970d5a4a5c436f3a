package io.waybill.webhook;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lets so many through in a second, and a second's worth at once after a pause.
 *
 * <p><i>Threads:</i> safe.
 */
final class TokenBucket {

    private static final double NANOS_PER_SECOND = 1e9;

    private final int perSecond;
    private final LongSupplier nanos;
    private double tokens;
    private long filledAt;

    TokenBucket(int perSecond, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.nanos = nanos;
        this.tokens = perSecond;
        this.filledAt = nanos.getAsLong();
    }

    synchronized boolean take() {
        fill();
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    synchronized Duration untilNext() {
        fill();
        return Duration.ofNanos((long) Math.ceil(Math.max(0, 1 - tokens) * NANOS_PER_SECOND / perSecond));
    }

    private void fill() {
        long now = nanos.getAsLong();
        tokens = Math.min(perSecond, tokens + (now - filledAt) * (double) perSecond / NANOS_PER_SECOND);
        filledAt = now;
    }
}
