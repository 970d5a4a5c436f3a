package io.waybill;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pause before a retry: {@code base * 2^attempts}, at most {@code cap}, shortened at random by up to {@code jitter}, so that
 * messages that failed together are not retried together.
 */
public record Backoff(Duration base, Duration cap, double jitter) {

    /** 2 s, 4 s, 8 s … 60 s. */
    public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), 0.1);

    public Backoff {
        if (base.isNegative() || cap.compareTo(base) < 0) {
            throw new WaybillException("The backoff's cap (" + cap + ") must not be below its base (" + base + ").");
        }
        if (jitter < 0 || jitter > 1) {
            throw new WaybillException("The backoff's jitter (" + jitter + ") must be between 0 and 1.");
        }
    }

    /** The exact one, without jitter. */
    public static Backoff exact(Duration base, Duration cap) {
        return new Backoff(base, cap, 0);
    }

    /** How long to wait after this many attempts: the base after none, twice as long after each. */
    public Duration delay(int attempts) {
        Duration doubled = doubled(attempts);
        if (jitter == 0) {
            return doubled;
        }
        double shortened =
                doubled.toMillis() * (1 - jitter * ThreadLocalRandom.current().nextDouble());
        return Duration.ofMillis(Math.round(shortened));
    }

    private Duration doubled(int times) {
        Duration delay = base;
        for (int i = 0; i < times && !delay.isZero() && delay.compareTo(cap) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(cap) < 0 ? delay : cap;
    }
}
