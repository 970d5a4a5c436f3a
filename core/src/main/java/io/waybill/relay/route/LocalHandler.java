package io.waybill.relay.route;

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

    /** Handles the message. When it throws, everything is rolled back, and the message is tried again later. */
    void handle(Envelope message, Transaction transaction) throws Exception;

    /**
     * Handles the message but for what is Waybill's own to write behind the application's work: the caller runs that at the end of
     * the transaction, where it takes fewer round trips.
     *
     * @param continuation what may be done in the same transaction of what follows from the message
     */
    default Runnable begin(Envelope message, Transaction transaction, Continuation continuation) throws Exception {
        handle(message, transaction);
        return () -> {};
    }

    /** A handler whose work returns what is left to write. */
    static LocalHandler inTwoParts(TwoParts work) {
        return new LocalHandler() {
            @Override
            public void handle(Envelope message, Transaction transaction) throws Exception {
                begin(message, transaction, Continuation.NONE).run();
            }

            @Override
            public Runnable begin(Envelope message, Transaction transaction, Continuation continuation)
                    throws Exception {
                return work.begin(message, transaction, continuation);
            }
        };
    }

    /** The application's work, which returns what is left to write. */
    @FunctionalInterface
    interface TwoParts {
        Runnable begin(Envelope message, Transaction transaction, Continuation continuation) throws Exception;
    }
}
