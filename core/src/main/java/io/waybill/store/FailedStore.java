package io.waybill.store;

import io.waybill.message.Envelope;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps what could not be handled, from every source and for every handler, until somebody decides. */
public interface FailedStore {

    /** Keeps the message, in this transaction. */
    void put(Transaction transaction, Failure failure);

    /** Which of these keys have a failed message of this handler from this source. */
    Set<String> failedKeys(Transaction transaction, String source, String handler, Collection<String> keys);

    /** Matching messages in the order in which they failed, behind this id. */
    List<FailedMessage> list(FailedSelection selection, long after, int limit);

    Optional<FailedMessage> find(long id);

    long count(FailedSelection selection);

    /** Matching messages by what is wrong with them, the largest group first. */
    List<FailureGroup> groups(FailedSelection selection);

    /** Removes matching messages behind this id in the order in which they failed; whoever takes the same ones waits. */
    List<FailedMessage> take(Transaction transaction, FailedSelection selection, long after, int limit);

    /**
     * Gives matching messages back that a program of somebody else keeps here too, as they are: none of our handlers failed on them.
     *
     * @param queue where that program takes them; empty to tell it from the message
     * @return how many, at most so many
     * @throws io.waybill.WaybillException when nothing tells where one of them belongs
     */
    int giveBack(Transaction transaction, FailedSelection selection, String queue, int limit);

    /**
     * Changes the message: its payload and headers.
     *
     * @return false when there is no such message
     */
    boolean edit(Transaction transaction, long id, Envelope changed);
}
