package io.waybill.relay;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;

/**
 * Handles a message in this process, in the very transaction that takes it out of the outbox: the row is the queue entry, and
 * what the handler writes, what it appends and the end of the message are one commit.
 *
 * <p><i>Threads:</i> called by as many threads at once as a relay may have handlers, by one at a time for each key.
 */
@FunctionalInterface
public interface LocalHandler {

    /** Handles the message. When it throws, everything is undone, and the message is tried again later. */
    void handle(Envelope message, Transaction transaction) throws Exception;
}
