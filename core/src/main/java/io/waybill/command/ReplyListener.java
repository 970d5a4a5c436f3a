package io.waybill.command;

/** Takes answers, in the transaction that ends their command. */
@FunctionalInterface
public interface ReplyListener {

    /**
     * Takes the answer if it is for this listener.
     *
     * @param attempt which attempt is answered
     */
    Receipt onReply(int attempt, CommandReply reply);

    /** What a listener does with an answer. */
    enum Receipt {
        /** It is for this listener, which has taken it. */
        TAKEN,
        /** It is for something that another node has to go on with. */
        ELSEWHERE,
        /** It is not for this listener. */
        NOT_MINE
    }
}
