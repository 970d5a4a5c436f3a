package io.waybill.inbox.receive;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedStore;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Puts messages among the failed ones at once, where they wait for a person.
 *
 * @param parksKeys whether the rest of a key follows its failed message, or goes on without it
 */
public record FailAtOnce(FailedStore store, String handler, boolean parksKeys) implements FailureHandling {

    @Override
    public Optional<FailureLog.Failed> put(Transaction transaction, Envelope message, int attempts, Throwable error) {
        store.put(
                transaction, ErrorSummary.of(message, handler, attempts, error).parkingKey(parksKeys));
        return Optional.of(FailureLog.Failed.forGood(message, attempts, error));
    }

    @Override
    public Set<String> waitingKeys(Transaction transaction, String source, Collection<String> keys) {
        return parksKeys ? store.failedKeys(transaction, source, handler, keys) : Set.of();
    }
}
