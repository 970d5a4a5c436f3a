package io.waybill.store.outbox;

import java.time.Instant;

/**
 * A destination to which relays send nothing until an operator resumes it.
 *
 * @param reason why, in the operator's words
 * @param operator who paused it
 * @param since when, in the database's time
 */
public record PausedDestination(String destination, String reason, String operator, Instant since) {

    /** Who paused it and why, in a few words. */
    public String why() {
        return "paused by " + operator + ": " + reason;
    }
}
