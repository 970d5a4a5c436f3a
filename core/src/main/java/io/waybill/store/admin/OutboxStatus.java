package io.waybill.store.admin;

/** Where a message of the outbox stands. */
public enum OutboxStatus {
    /** To be sent as soon as a relay comes to it. */
    PENDING,
    /** Refused before: waits for its next attempt, or blocks its key until somebody acts. Its row is PENDING with a due time. */
    WAITING,
    /** Held, because an earlier message of its key waits or has failed. */
    HELD,
    /** Refused for the last time. */
    FAILED,
    /** Accepted by its broker. */
    DISPATCHED,
    /** Given up by somebody, with a reason. */
    DISCARDED;

    /** Whether it can be sent again: only what was refused. A held message moves when the first one of its key does. */
    public boolean isReplayable() {
        return this == WAITING || this == FAILED;
    }

    /** Whether it has not come to its end yet. */
    public boolean isOpen() {
        return this != DISPATCHED && this != DISCARDED;
    }
}
