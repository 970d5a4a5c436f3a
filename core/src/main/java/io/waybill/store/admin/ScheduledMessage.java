package io.waybill.store.admin;

import io.waybill.message.Envelope;
import java.time.Instant;
import java.util.UUID;

/**
 * A message for later as an operator sees it.
 *
 * @param dueAt when a relay appends it to the outbox
 */
public record ScheduledMessage(Instant dueAt, Envelope envelope) {

    /** Where a page ends: the next one begins behind it. */
    public record Position(Instant dueAt, UUID id) {

        /** Before the first page. */
        public static final Position START = new Position(Instant.EPOCH, new UUID(0, 0));
    }

    public Position position() {
        return new Position(dueAt, envelope.id());
    }
}
