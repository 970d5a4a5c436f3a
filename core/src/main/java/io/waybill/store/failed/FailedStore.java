package io.waybill.store.failed;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps what could not be handled, from every source and for every handler, until somebody decides. */
public interface FailedStore {

    /** The messages among them behind which later ones of their key wait. */
    ParkedStore parked();

    /** Keeps the message, in this transaction. */
    void put(Transaction transaction, Failure failure);

    /** Which of these keys have a message of this handler from this source behind which later ones wait. */
    Set<String> failedKeys(Transaction transaction, String source, String handler, Collection<String> keys);

    /** Matching messages in the order in which they failed, behind this id. */
    List<FailedMessage> list(FailedSelection selection, long after, int limit);

    Optional<FailedMessage> find(long id);

    long count(FailedSelection selection);

    /** Matching messages by what is wrong with them, the largest group first. */
    List<FailureGroup> groups(FailedSelection selection);

    /** Matching messages behind this id in the order in which they failed; others who lock the same ones wait. */
    List<FailedMessage> lock(Transaction transaction, FailedSelection selection, long after, int limit);

    void remove(Transaction transaction, Collection<Long> ids);

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
     * @param note what its history says of this change
     * @return false when there is no such message
     */
    boolean edit(Transaction transaction, long id, Envelope changed, String note);
}
