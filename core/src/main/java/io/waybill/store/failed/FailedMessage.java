package io.waybill.store.failed;

import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the failed messages.
 *
 * @param id in the order in which they failed, by which lists are paged
 * @param handler who could not handle it
 * @param message its destination is where it came from
 * @param parksKey whether later messages of its key wait behind it. Such a message stays here while it is retried, so that it keeps its
 *     place: the ids are the order of the key
 * @param retry the retry that has put it on its way; null when there is none
 * @param retries how often an operator has retried it
 * @param attemptLog its failed attempts and what operators did with it
 */
public record FailedMessage(
        long id,
        String handler,
        Envelope message,
        int attempts,
        Failure.Cause cause,
        Instant firstFailedAt,
        Instant lastFailedAt,
        boolean parksKey,
        @Nullable UUID retry,
        int retries,
        AttemptLog attemptLog) {

    /** A message behind which nothing waits. */
    public FailedMessage(
            long id,
            String handler,
            Envelope message,
            int attempts,
            Failure.Cause cause,
            Instant firstFailedAt,
            Instant lastFailedAt) {
        this(id, handler, message, attempts, cause, firstFailedAt, lastFailedAt, false, null, 0, AttemptLog.NONE);
    }

    /** The same with another message in it. */
    public FailedMessage with(Envelope changed) {
        return new FailedMessage(
                id,
                handler,
                changed,
                attempts,
                cause,
                firstFailedAt,
                lastFailedAt,
                parksKey,
                retry,
                retries,
                attemptLog);
    }

    /** The same, put on its way by this retry, or by none any more. */
    public FailedMessage withRetry(@Nullable UUID other) {
        return new FailedMessage(
                id,
                handler,
                message,
                attempts,
                cause,
                firstFailedAt,
                lastFailedAt,
                parksKey,
                other,
                retries,
                attemptLog);
    }

    /** The same after its retry failed: it keeps its place in its key. */
    public FailedMessage failedAgain(Failure failure, Instant now) {
        return new FailedMessage(
                id,
                handler,
                message,
                failure.attempts(),
                failure.cause(),
                firstFailedAt,
                now,
                true,
                retry,
                retries,
                attemptLog);
    }

    /** The same with these retries by operators and this history. */
    public FailedMessage withAttempts(int byOperators, AttemptLog log) {
        return new FailedMessage(
                id, handler, message, attempts, cause, firstFailedAt, lastFailedAt, parksKey, retry, byOperators, log);
    }

    /** The same after an operator retried it; a follower was not tried before. */
    public FailedMessage retriedBy(String line) {
        return withAttempts(attempts == 0 ? retries : retries + 1, attemptLog.plus(line));
    }

    /** Whether it failed again after an operator had retried it. */
    public boolean hasFailedAgain() {
        return retries > 0 && !isOnItsWay();
    }

    public FailedState state() {
        return isOnItsWay() ? FailedState.RETRYING : isFollower() ? FailedState.PARKED : FailedState.FAILED;
    }

    /** Whether a retry has put it on its way. */
    public boolean isOnItsWay() {
        return retry != null;
    }

    /** Whether it was not tried, because it is behind another one of its key. */
    public boolean isFollower() {
        return parksKey && attempts == 0;
    }

    /** The topic, queue or subject it came from. */
    public String source() {
        return message.destination();
    }
}
