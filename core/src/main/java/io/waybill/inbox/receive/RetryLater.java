package io.waybill.inbox.receive;

import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Retry;
import io.waybill.message.Envelope;
import io.waybill.message.UuidV7;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedState;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.OutboxStore;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Puts messages into the outbox, for their own handler: there they are tried again with pauses, the later ones of a key behind the
 * earlier, and the broker goes on.
 *
 * @param destination where the handler takes them
 */
record RetryLater(
        OutboxStore outbox,
        WaitingKeys waiting,
        FailedStore failed,
        String destination,
        String handler,
        ReceivingOptions options,
        StoredBefore storedBefore)
        implements FailureHandling {

    @Override
    public Optional<FailureLog.Failed> put(Transaction transaction, Envelope message, int attempts, Throwable error) {
        Envelope again = Retry.stored(message, handler, destination, UuidV7.SYSTEM.get());
        if (error instanceof UnreadableException unreadable) {
            again = Retry.unreadable(again, unreadable.reason());
        }
        outbox.append(transaction, List.of(again.isOrdered() ? Retry.counted(again) : again));
        if (again.isOrdered()) {
            waiting.add(transaction, destination, again.partitionKey());
        }
        return Optional.of(new FailureLog.Failed(
                message,
                attempts,
                error,
                FailedState.RETRYING,
                "it is tried again with pauses, up to " + options.attempts() + " times"));
    }

    @Override
    public Set<String> waitingKeys(Transaction transaction, String source, Collection<String> keys) {
        Set<String> asked = new HashSet<>(keys);
        asked.add(WaitingKeys.ALL);
        Set<String> behind = new HashSet<>(waiting.among(transaction, destination, asked));
        if (behind.contains(WaitingKeys.ALL)) {
            storedBefore.found();
            return Set.copyOf(keys);
        }
        if (options.parksKeys()) {
            behind.addAll(failed.failedKeys(transaction, source, handler, keys));
        }
        return behind;
    }
}
