package io.waybill.store.failed;

import io.waybill.message.Envelope;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that could not be handled, and why.
 *
 * @param message its destination is where it came from
 * @param handler who could not handle it
 * @param attempts how often it was tried; zero when it was not, because it is behind another one of its key
 * @param since when it failed first; null means now
 * @param parksKey whether later messages of its key wait behind it
 * @param retries how often an operator had retried it before; those of its row are counted besides
 * @param row its row in the outbox, which has its earlier attempts; null when it was not tried there
 */
public record Failure(
        Envelope message,
        String handler,
        int attempts,
        Cause cause,
        @Nullable Instant since,
        boolean parksKey,
        int retries,
        @Nullable UUID row) {

    /** The same; with {@code parks} later messages of its key wait behind it, if it has one. */
    public Failure parkingKey(boolean parks) {
        return new Failure(message, handler, attempts, cause, since, parks && message.isOrdered(), retries, row);
    }

    /** The same, of a message that was tried as a row of the outbox: its attempts there belong to it. */
    public Failure ofRow(UUID outboxId, int earlierRetries) {
        return new Failure(message, handler, attempts, cause, since, parksKey, earlierRetries, outboxId);
    }

    /**
     * What went wrong.
     *
     * @param kind the class of the error, without its package
     * @param fingerprint the same for failures that have the same reason
     */
    public record Cause(String kind, String error, String stack, String fingerprint) {

        /** How long a whole fingerprint is. */
        public static final int FINGERPRINT_DIGITS = 12;

        /** In one line; of a message in the outbox the kind is part of the error. */
        public String label() {
            return kind.isEmpty() ? error : kind + ": " + error;
        }
    }
}
