package io.waybill.store;

import java.util.Collection;
import java.util.Set;

/**
 * Counts the messages of each key that wait at a destination, so that later ones can wait behind them.
 *
 * <p><i>Transaction:</i> the one that makes them wait, or ends their waiting. A key that is counted too high loses nothing but
 * time.
 */
public interface WaitingKeys {

    /** One more message of the key waits. */
    void add(Transaction transaction, String destination, String partitionKey);

    /** A message of the key waits no more. */
    void remove(Transaction transaction, String destination, String partitionKey);

    /** Those of the keys that have messages waiting. */
    Set<String> among(Transaction transaction, String destination, Collection<String> partitionKeys);
}
