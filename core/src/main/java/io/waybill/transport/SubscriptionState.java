package io.waybill.transport;

import io.waybill.Time;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Why a subscription does not receive at present, for its log and for health checks. Each cause is one warning, however often it
 * occurs and in however many parts of the subscription; one line with the count follows when all parts receive again.
 *
 * <p><i>Threads:</i> safe.
 */
public final class SubscriptionState {

    /** Causes whose texts differ each time are not logged without end. */
    private static final int MAX_WARNINGS = 20;

    private final Logger log;
    private final SubscriptionOptions options;
    private final Time time;
    private final Map<Object, String> causes = new LinkedHashMap<>();
    private final Set<String> warned = new HashSet<>();
    private @Nullable Instant since;
    private int failures;

    public SubscriptionState(Logger log, SubscriptionOptions options, Time time) {
        this.log = log;
        this.options = options;
        this.time = time;
    }

    /**
     * A part of the subscription cannot receive and tries again.
     *
     * @param part a partition, a connection, a thread
     * @param code of the warning
     */
    public synchronized void failed(Object part, String code, String cause) {
        causes.put(part, cause);
        failures++;
        if (since == null) {
            since = time.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        }
        if (warned.size() < MAX_WARNINGS && warned.add(code + withoutNumbers(cause))) {
            log.warn(
                    "{} '{}' has paused receiving from {} and retries at least every 10 s: {}",
                    code,
                    options.group(),
                    options.source(),
                    cause);
        } else {
            log.debug("{} '{}' still cannot receive from {}: {}", code, options.group(), options.source(), cause);
        }
    }

    /** A part of the subscription receives. */
    public synchronized void receives(Object part) {
        if (causes.remove(part) != null && causes.isEmpty()) {
            log.info(
                    "'{}' receives from {} again, after {} failed attempts since {}.",
                    options.group(),
                    options.source(),
                    failures,
                    since);
            reset();
        }
    }

    /** A part is no longer one of this subscription. */
    public synchronized void forget(Object part) {
        if (causes.remove(part) != null && causes.isEmpty()) {
            reset();
        }
    }

    /** The subscription is closed. */
    public synchronized void closed() {
        causes.clear();
        reset();
    }

    /** Why it does not receive, or not from everywhere, and since when; empty while it does. */
    public synchronized Optional<String> problem() {
        return causes.isEmpty()
                ? Optional.empty()
                : Optional.of("paused since " + since + ": " + String.join("; ", new LinkedHashSet<>(causes.values())));
    }

    private void reset() {
        warned.clear();
        failures = 0;
        since = null;
    }

    private static String withoutNumbers(String cause) {
        return cause.replaceAll("[0-9]+", "#");
    }
}
