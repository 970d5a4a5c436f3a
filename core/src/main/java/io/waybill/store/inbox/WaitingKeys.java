package io.waybill.store.inbox;

import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.Set;

/**
 * Counts the messages of each key that wait at a destination, so that later ones can wait behind them.
 *
 * <p><i>Transaction:</i> the one that makes them wait, or ends their waiting. A key that is counted too high loses nothing but
 * time.
 */
public interface WaitingKeys {

    /** Stands for every key of a destination. */
    String ALL = "";

    /** One more message of the key waits. */
    void add(Transaction transaction, String destination, String partitionKey);

    /** A message of the key waits no more. */
    void remove(Transaction transaction, String destination, String partitionKey);

    /**
     * Messages of any key wait uncounted: every key of the destination waits. Nobody ends that before this transaction has ended.
     */
    void addAll(Transaction transaction, String destination);

    /**
     * Ends what {@link #addAll} has begun, unless uncounted messages still wait in the outbox.
     *
     * @param counted the header that counted messages have
     * @return whether it is over
     */
    boolean removeAll(Transaction transaction, String destination, String counted);

    /** Those of the keys that have messages waiting; {@link #ALL} may be asked for too. */
    Set<String> among(Transaction transaction, String destination, Collection<String> partitionKeys);
}
