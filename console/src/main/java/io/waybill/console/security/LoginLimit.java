package io.waybill.console.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Slows down guessing without locking people out.
 *
 * <p>Failed logins are counted for a user at a client, strictly; for a client, with any user name; and for a user, from all clients
 * together. Only the first holds for a client that the user has logged in from before: what others do does not lock them out.
 */
final class LoginLimit {

    static final int MAX_FOR_USER_AT_CLIENT = 5;
    static final int MAX_FOR_CLIENT = 50;
    static final int MAX_FOR_USER = 100;
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final Duration KNOWN_FOR = Duration.ofDays(30);
    private static final int MAX_REMEMBERED = 10_000;
    private static final int MAX_NAME = 200;

    private final Clock clock;
    private final Map<String, Failures> failures = new LinkedHashMap<>();
    private final Map<String, Instant> known = new LinkedHashMap<>();

    LoginLimit(Clock clock) {
        this.clock = clock;
    }

    private record Failures(int count, Instant since) {}

    /**
     * Counts an attempt before it is made, as if it had failed, so that many at once are no more than one after the other.
     *
     * @return false when it may not be made
     */
    synchronized boolean begin(String client, String user) {
        if (isExceeded(client, user)) {
            return false;
        }
        count(atClient(client, user));
        count(of(client));
        count(anywhere(user));
        return true;
    }

    /** Whether an attempt would be refused. */
    synchronized boolean isExceeded(String client, String user) {
        boolean others = isReached(of(client), MAX_FOR_CLIENT) || isReached(anywhere(user), MAX_FOR_USER);
        return isReached(atClient(client, user), MAX_FOR_USER_AT_CLIENT) || (others && !isKnown(client, user));
    }

    /** The attempt was none that failed. What the client failed as others stays counted: an account of its own is no licence to guess. */
    synchronized void succeeded(String client, String user) {
        String pair = atClient(client, user);
        failures.remove(pair);
        giveBack(of(client));
        giveBack(anywhere(user));
        known.remove(pair);
        known.put(pair, clock.instant());
        shorten(known);
    }

    synchronized boolean areTokensExceeded(String client) {
        return isReached("token " + of(client), MAX_FOR_CLIENT);
    }

    synchronized void tokenFailed(String client) {
        count("token " + of(client));
    }

    private static String atClient(String client, String user) {
        return of(client) + " as " + anywhere(user);
    }

    private static String anywhere(String user) {
        return "user " + (user.length() > MAX_NAME ? user.substring(0, MAX_NAME) : user);
    }

    /** A client with one IPv6 address has the whole /64. */
    private static String of(String client) {
        Optional<byte[]> address = AddressRange.bytes(client);
        return "client "
                + address.filter(bytes -> bytes.length == 16)
                        .map(bytes -> HexFormat.of().formatHex(Arrays.copyOf(bytes, 8)))
                        .orElse(client);
    }

    private boolean isKnown(String client, String user) {
        Instant at = known.get(atClient(client, user));
        return at != null && at.isAfter(clock.instant().minus(KNOWN_FOR));
    }

    private boolean isReached(String key, int limit) {
        Failures counted = failures.get(key);
        return counted != null && isRecent(counted) && counted.count >= limit;
    }

    private void count(String key) {
        failures.merge(
                key,
                new Failures(1, clock.instant()),
                (old, one) -> isRecent(old) ? new Failures(old.count + 1, old.since) : one);
        shorten(failures);
    }

    private void giveBack(String key) {
        failures.computeIfPresent(
                key, (same, counted) -> counted.count > 1 ? new Failures(counted.count - 1, counted.since) : null);
    }

    private static void shorten(Map<String, ?> remembered) {
        if (remembered.size() > MAX_REMEMBERED) {
            var oldest = remembered.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private boolean isRecent(Failures counted) {
        return counted.since.isAfter(clock.instant().minus(WINDOW));
    }
}
