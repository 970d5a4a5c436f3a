package io.waybill.process.graph;

import io.waybill.Backoff;
import io.waybill.WaybillException;
import java.time.Duration;

/**
 * How often a step is retried, and after which pauses: {@code firstDelay}, doubled each time, at most {@code maxDelay}.
 *
 * @param anyError whether every error is tried again that its handler does not forbid; else the process's rules look at it
 */
public record RetryPolicy(int maxRetries, Duration firstDelay, Duration maxDelay, boolean anyError) {

    /** For steps that do not say otherwise: three times, after 1 s, 2 s, 4 s. */
    public static final RetryPolicy STEP = new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofSeconds(65_536), false);

    /** For compensations that do not say otherwise: ten times within about half an hour, whatever the error. */
    public static final RetryPolicy COMPENSATION =
            new RetryPolicy(10, Duration.ofSeconds(1), Duration.ofMinutes(5), true);

    public RetryPolicy {
        if (maxRetries < 0) {
            throw new WaybillException("A step cannot be tried again " + maxRetries + " times. 0 means never.");
        }
        if (firstDelay.isNegative() || maxDelay.compareTo(firstDelay) < 0) {
            throw new WaybillException("The longest pause between two attempts (" + maxDelay
                    + ") must not be below the first (" + firstDelay + "), and neither may be negative.");
        }
    }

    /** This many times, after 1 s, 2 s, 4 s … 5 min. */
    public static RetryPolicy upTo(int maxRetries) {
        return new RetryPolicy(maxRetries, Duration.ofSeconds(1), Duration.ofMinutes(5), false);
    }

    public RetryPolicy times(int maxRetries) {
        return new RetryPolicy(maxRetries, firstDelay, maxDelay, anyError);
    }

    public RetryPolicy delay(Duration first, Duration longest) {
        return new RetryPolicy(maxRetries, first, longest, anyError);
    }

    /** Tries again whatever the error, unless its handler forbids it. */
    public RetryPolicy onAnyError() {
        return new RetryPolicy(maxRetries, firstDelay, maxDelay, true);
    }

    /** The pause before the retry of this number; the first is 0. */
    public Duration pause(int retry) {
        return Backoff.exact(firstDelay, maxDelay).delay(retry);
    }
}
