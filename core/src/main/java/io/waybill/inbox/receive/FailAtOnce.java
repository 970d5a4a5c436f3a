package io.waybill.inbox.receive;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedStore;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Puts messages among the failed ones at once, where they wait for a person; the rest of their keys goes on without them.
 */
public record FailAtOnce(FailedStore store, String handler) implements FailureHandling {

    @Override
    public Optional<FailureLog.Failed> put(Transaction transaction, Envelope message, int attempts, Throwable error) {
        store.put(transaction, ErrorSummary.of(message, handler, attempts, error));
        return Optional.of(FailureLog.Failed.forGood(message, attempts, error));
    }

    @Override
    public Set<String> waitingKeys(Transaction transaction, String source, Collection<String> keys) {
        return Set.of();
    }
}
