package io.waybill.console.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Slows down guessing: after some failed logins of a client or of a user, further ones are refused for a while. */
final class LoginLimit {

    private static final int MAX_FAILURES = 5;
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final int MAX_REMEMBERED = 10_000;

    private final Clock clock;
    private final Map<String, Failures> failures = new LinkedHashMap<>();

    LoginLimit(Clock clock) {
        this.clock = clock;
    }

    private record Failures(int count, Instant since) {}

    synchronized boolean isExceeded(String who) {
        Failures known = failures.get(who);
        return known != null && isRecent(known) && known.count >= MAX_FAILURES;
    }

    synchronized void failed(String who) {
        Instant now = clock.instant();
        failures.merge(
                who, new Failures(1, now), (old, one) -> isRecent(old) ? new Failures(old.count + 1, old.since) : one);
        if (failures.size() > MAX_REMEMBERED) {
            var oldest = failures.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    synchronized void succeeded(String who) {
        failures.remove(who);
    }

    private boolean isRecent(Failures known) {
        return known.since.isAfter(clock.instant().minus(WINDOW));
    }
}
