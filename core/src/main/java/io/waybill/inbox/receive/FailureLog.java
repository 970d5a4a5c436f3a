package io.waybill.inbox.receive;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.waybill.Time;
import io.waybill.inbox.Retry;
import io.waybill.message.Envelope;
import io.waybill.relay.route.RouteTarget.FailedAttempt;
import io.waybill.store.failed.FailedState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of messages that a handler could not handle, and says what happens to them next. Messages that fail for the same reason are one
 * line with their count, at most once a minute; what fails in between is counted in the next line. The first line of a reason has the
 * stack trace.
 *
 * <p><i>Threads:</i> safe.
 */
public final class FailureLog {

    private static final Logger log = LoggerFactory.getLogger(FailureLog.class);

    private static final Duration AT_MOST_EVERY = Duration.ofMinutes(1);

    /** A reason that was not seen for so long is logged with its stack trace again. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

    /** Reasons that are remembered; what was logged longest ago is forgotten first, and logged anew. */
    private static final int MAX_REASONS = 100;

    private final String handler;
    private final Time time;
    private final Map<String, Logged> reasons = new LinkedHashMap<>();

    public FailureLog(String handler, Time time) {
        this.handler = handler;
        this.time = time;
    }

    /** A handler failed that takes its messages from the outbox, and its message is tried again. */
    public void retried(FailedAttempt attempt) {
        var at = time.clock().instant().plus(attempt.delay()).truncatedTo(ChronoUnit.SECONDS);
        add(List.of(new Failed(
                Retry.in(attempt.message()).original(),
                attempt.attempt(),
                attempt.error(),
                FailedState.RETRYING,
                "attempt " + (attempt.attempt() + 1) + " of " + attempt.maxAttempts() + " at " + at)));
    }

    /** These failed together. */
    void add(List<Failed> failures) {
        failures.forEach(failure -> log.debug("WB-301 message {}", failure.message.id(), failure.error));
        failures.stream()
                .collect(groupingBy(this::reason, LinkedHashMap::new, toList()))
                .forEach(this::logThrottled);
    }

    private String reason(Failed failure) {
        return failure.state.word()
                + ErrorSummary.of(failure.message, handler, failure.attempts, failure.error)
                        .cause()
                        .fingerprint();
    }

    private synchronized void logThrottled(String reason, List<Failed> failures) {
        @Nullable Logged before = reasons.get(reason);
        if (before != null && !before.since.hasReached(AT_MOST_EVERY)) {
            reasons.put(reason, new Logged(before.since, before.unlogged + failures.size()));
            return;
        }
        boolean isNew = before == null || before.since.hasReached(FORGOTTEN_AFTER);
        int count = failures.size() + (before == null ? 0 : before.unlogged);
        reasons.remove(reason);
        reasons.put(reason, new Logged(time.stopwatch(), 0));
        if (reasons.size() > MAX_REASONS) {
            reasons.remove(reasons.keySet().iterator().next());
        }
        log(failures.get(failures.size() - 1), count, isNew);
    }

    private void log(Failed last, int count, boolean isNew) {
        Envelope message = last.message;
        if (last.error instanceof BehindAnotherException) {
            log.info(
                    "{} messages from {} wait for '{}' behind earlier messages of their keys that could not be handled,"
                            + " the latest is {}.",
                    count,
                    message.destination(),
                    handler,
                    message.id());
            return;
        }
        log.warn(
                "WB-301 The handler '{}' could not handle {} from {} ({}): {}. Next: {}; '{}' shows it.",
                handler,
                count == 1 ? "message " + message.id() : count + " messages, the latest is " + message.id() + ",",
                message.destination(),
                last.attempts == 1 ? "1 attempt" : last.attempts + " attempts",
                last.error.toString(),
                last.next,
                last.state.command(),
                isNew ? last.error : null);
    }

    /**
     * A message that could not be handled.
     *
     * @param next what happens to it now
     */
    public record Failed(Envelope message, int attempts, Throwable error, FailedState state, String next) {

        /** One that waits for a person. */
        public static Failed forGood(Envelope message, int attempts, Throwable error) {
            return new Failed(message, attempts, error, FailedState.FAILED, "it waits until you retry or discard it");
        }
    }

    private record Logged(Time.Stopwatch since, int unlogged) {}
}
