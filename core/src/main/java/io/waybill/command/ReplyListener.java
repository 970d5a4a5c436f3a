package io.waybill.command;

import io.waybill.relay.route.Continuation;

/** Receives replies, in the transaction that ends their command. */
@FunctionalInterface
public interface ReplyListener {

    /**
     * Takes the reply if it is for this listener.
     *
     * @param attempt which attempt is answered
     * @param continuation what may be done in the same transaction of what follows from the reply
     */
    Receipt onReply(int attempt, CommandReply reply, Continuation continuation);

    /** What a listener does with a reply. */
    enum Receipt {
        /** It is for this listener, which has taken it, or keeps it for a node that can continue with it. */
        TAKEN,
        /** It is not for this listener. */
        NOT_MINE
    }
}
