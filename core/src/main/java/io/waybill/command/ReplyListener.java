package io.waybill.command;

import java.util.UUID;

/** Takes answers, in the transaction that ends their command. */
@FunctionalInterface
public interface ReplyListener {

    /**
     * Takes the answer if it is for this listener.
     *
     * @param attempt which attempt is answered
     */
    Receipt onReply(int attempt, CommandReply reply);

    /**
     * Whether this listener is certain, without asking anybody, that it waits for the answer to this attempt of a command.
     *
     * @param correlationId what the answer is for
     */
    default boolean isWaitingFor(UUID correlationId, UUID commandId, int attempt) {
        return false;
    }

    /**
     * A command whose message has come again is over. Should this listener wait for one that was to be run next, whoever was to run it may be
     * gone: it has to be sent.
     */
    default void carryOn(UUID correlationId) {}

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
