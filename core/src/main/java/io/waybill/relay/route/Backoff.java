package io.waybill.relay.route;

import io.waybill.WaybillException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a refused message waits: {@code base * 2^attempts}, at most {@code cap}, shortened at random by up to {@code jitter}
 * so that what failed together does not come back together.
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

    /** How long to wait after this many refusals. */
    public Duration delay(int attempts) {
        long doubled = base.toMillis() << Math.min(attempts, 30);
        double shortened = Math.min(doubled, cap.toMillis())
                * (1 - jitter * ThreadLocalRandom.current().nextDouble());
        return Duration.ofMillis(Math.round(shortened));
    }
}
