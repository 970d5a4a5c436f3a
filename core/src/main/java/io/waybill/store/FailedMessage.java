package io.waybill.store;

import io.waybill.message.Envelope;
import java.time.Instant;

/**
 * A row of the failed messages.
 *
 * @param id in the order in which they failed, by which lists are paged
 * @param handler who could not handle it
 * @param message its destination is where it came from
 */
public record FailedMessage(
        long id,
        String handler,
        Envelope message,
        int attempts,
        Failure.Cause cause,
        Instant firstFailedAt,
        Instant lastFailedAt) {

    /** The topic, queue or subject it came from. */
    public String source() {
        return message.destination();
    }
}
