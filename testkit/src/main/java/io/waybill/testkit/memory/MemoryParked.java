package io.waybill.testkit.memory;

import io.waybill.store.AttemptLog;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.Failure;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What parks a key among what could not be handled, in memory. */
record MemoryParked(MemoryFailed failed) implements ParkedStore {

    @Override
    public Optional<FailedMessage> first(Transaction transaction, ParkedKey key) {
        return failed.parked(key).stream().findFirst();
    }

    @Override
    public List<FailedMessage> lock(Transaction transaction, ParkedKey key, int limit) {
        failed.lock(transaction, key);
        return failed.parked(key).stream().limit(limit).toList();
    }

    @Override
    public List<Long> waiting(Transaction transaction, ParkedKey key, int limit) {
        return failed.parked(key).stream()
                .filter(message -> !message.isOnItsWay())
                .map(FailedMessage::id)
                .limit(limit)
                .toList();
    }

    @Override
    public void startRetry(Transaction transaction, UUID retry, Collection<Long> ids, String note) {
        String line = AttemptLog.changed(failed.now(), note);
        ids.forEach(id -> failed.change(
                transaction, id, message -> (line.isEmpty() ? message : message.retriedBy(line)).withRetry(retry)));
    }

    @Override
    public void endRetries(Transaction transaction, ParkedKey key) {
        failed.parked(key).stream()
                .filter(FailedMessage::isOnItsWay)
                .forEach(one -> failed.change(transaction, one.id(), message -> message.withRetry(null)));
    }

    @Override
    public void failAgain(Transaction transaction, long id, Failure failure) {
        failed.change(transaction, id, message -> {
            FailedMessage again = message.failedAgain(failure, failed.now());
            return again.withAttempts(again.retries(), failed.log(again.attemptLog(), failure));
        });
    }
}
