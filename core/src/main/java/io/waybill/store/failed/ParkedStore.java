package io.waybill.store.failed;

import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Keys whose failed messages keep their order. A message stays among the failed ones while it is retried and leaves them with the
 * commit of its handler, so its id is its place in the order of its key, however often it fails. Those that are on their way are the
 * first of their key.
 */
public interface ParkedStore {

    /** The first message of the key. */
    Optional<FailedMessage> first(Transaction transaction, ParkedKey key);

    /** The first messages of the key as they are committed now; others who lock them wait. */
    List<FailedMessage> lock(Transaction transaction, ParkedKey key, int limit);

    /** The ids of the first messages of the key that are not on their way, as they are committed now. */
    List<Long> waiting(Transaction transaction, ParkedKey key, int limit);

    /**
     * Notes that this retry has put these messages on their way.
     *
     * @param note what their history says of it when an operator has retried them, which is counted then; empty when they follow others
     */
    void startRetry(Transaction transaction, UUID retry, Collection<Long> ids, String note);

    /** Notes that no message of the key is on its way: those that come are not handled. */
    void endRetries(Transaction transaction, ParkedKey key);

    /** Writes how a message failed this time. */
    void failAgain(Transaction transaction, long id, Failure failure);
}
