package io.waybill.jdbc.internal.failed;

import io.waybill.store.AttemptLog;
import io.waybill.store.OutdatedException;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.Failure;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Parked messages in Symfony Messenger's queue of failed messages: each look reads all of the queue. */
record MessengerParkedStore(MessengerFailedStore store) implements ParkedStore {

    /** A key has fewer followers on their way at once; more tries mean a snapshot that does not see what is gone. */
    private static final int MAX_TRIES = 200;

    @Override
    public Optional<FailedMessage> first(Transaction transaction, ParkedKey key) {
        return store.parked(transaction, key, any -> true, 1).stream().findFirst();
    }

    @Override
    public List<FailedMessage> lock(Transaction transaction, ParkedKey key, int limit) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            List<Long> ids = ids(store.parked(transaction, key, any -> true, limit));
            List<FailedMessage> locked = store.change(transaction, ids, UnaryOperator.identity());
            if (ids.isEmpty() || !locked.isEmpty()) {
                return locked;
            }
            // What was first when it was read was gone when it could be locked: another is first now.
        }
        throw new OutdatedException("The first failed message of " + key + " was handled " + MAX_TRIES
                + " times before it could be locked. Roll the transaction back and try again.");
    }

    @Override
    public List<Long> waiting(Transaction transaction, ParkedKey key, int limit) {
        return ids(store.parked(transaction, key, message -> !message.isOnItsWay(), limit));
    }

    @Override
    public void startRetry(Transaction transaction, UUID retry, Collection<Long> ids, String note) {
        String line = AttemptLog.changed(store.now(), note);
        store.change(
                transaction, ids, message -> (line.isEmpty() ? message : message.retriedBy(line)).withRetry(retry));
    }

    @Override
    public void endRetries(Transaction transaction, ParkedKey key) {
        List<Long> onTheirWay = ids(store.parked(transaction, key, FailedMessage::isOnItsWay, Integer.MAX_VALUE));
        store.change(transaction, onTheirWay, message -> message.withRetry(null));
    }

    @Override
    public void failAgain(Transaction transaction, long id, Failure failure) {
        store.failAgain(transaction, id, failure);
    }

    private static List<Long> ids(List<FailedMessage> messages) {
        return messages.stream().map(FailedMessage::id).toList();
    }
}
