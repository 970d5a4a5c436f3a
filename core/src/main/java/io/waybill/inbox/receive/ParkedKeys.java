package io.waybill.inbox.receive;

import io.waybill.inbox.Retry;
import io.waybill.message.Envelope;
import io.waybill.message.UuidV7;
import io.waybill.store.GoneException;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.failed.Failure;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import io.waybill.store.outbox.OutboxStore;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the order of a handler's keys when messages of them fail: what comes later follows them, and when the first of them
 * has been handled by a retry, those that followed it go after it.
 */
final class ParkedKeys {

    private static final Logger log = LoggerFactory.getLogger(ParkedKeys.class);

    /** How many followers are put on their way at once. */
    private static final int STEP = 100;

    private final FailedStore failed;
    private final ParkedStore parked;
    private final OutboxStore outbox;
    private final String handler;

    ParkedKeys(FailedStore failed, OutboxStore outbox, String handler) {
        this.failed = failed;
        this.parked = failed.parked();
        this.outbox = outbox;
        this.handler = handler;
    }

    /** Whether a new message has to follow failed ones of its key. */
    boolean isParked(Transaction transaction, Envelope message) {
        if (!message.isOrdered()
                || failed.failedKeys(transaction, message.destination(), handler, List.of(message.partitionKey()))
                        .isEmpty()) {
            return false;
        }
        // A retry that has handled the first message of the key locks it, and then looks for followers: with this lock,
        // no message follows one that has gone meanwhile. The first before the lock may be gone now, and another is
        // first.
        ParkedKey key = ParkedKey.of(message, handler);
        List<FailedMessage> first = parked.lock(transaction, key, 1);
        if (first.isEmpty()) {
            first = parked.lock(transaction, key, 1);
        }
        return !first.isEmpty();
    }

    /** Whether it is the turn of a message that is retried. One that must not be handled now is left among the failed messages. */
    boolean isNext(Transaction transaction, Retry retry) {
        ParkedKey key = ParkedKey.of(retry.original(), handler);
        Optional<FailedMessage> first = parked.first(transaction, key);
        if (first.isPresent() && retry.isOf(first.get())) {
            return true;
        }
        if (first.isPresent() && isOnItsWay(transaction, retry)) {
            parked.endRetries(transaction, key);
            log.warn(
                    "WB-213 Message {} from {} is not retried for '{}', because the failed message {} of its key comes"
                            + " first. Retry or discard that one; the others follow it.",
                    retry.original().id(),
                    key.source(),
                    handler,
                    first.get().id());
        } else {
            log.debug(
                    "Message {} is not retried: its retry was replaced or discarded.",
                    retry.original().id());
        }
        return false;
    }

    private boolean isOnItsWay(Transaction transaction, Retry retry) {
        return failed.lock(transaction, FailedSelection.of(List.of(retry.number())), 0, 1).stream()
                .anyMatch(retry::isOf);
    }

    /** The first message of its key was handled: it leaves the failed ones, and its followers go after it. */
    void handled(Transaction transaction, Retry retry) {
        ParkedKey key = ParkedKey.of(retry.original(), handler);
        List<FailedMessage> first = parked.lock(transaction, key, 1);
        if (first.isEmpty() || !retry.isOf(first.get(0))) {
            throw new GoneException(retry.original().id());
        }
        failed.remove(transaction, List.of(first.get(0).id()));
        List<FailedMessage> next = parked.lock(transaction, key, 1);
        if (!next.isEmpty() && isWaitingFollower(next.get(0))) {
            sendFollowers(transaction, parked.lock(transaction, key, STEP));
        }
    }

    private void sendFollowers(Transaction transaction, List<FailedMessage> next) {
        UUID retry = UuidV7.SYSTEM.get();
        List<FailedMessage> followers =
                next.stream().takeWhile(ParkedKeys::isWaitingFollower).toList();
        parked.startRetry(
                transaction, retry, followers.stream().map(FailedMessage::id).toList(), "");
        outbox.append(
                transaction,
                followers.stream()
                        .map(follower -> Retry.ofParked(follower, retry, UuidV7.SYSTEM.get()))
                        .toList());
    }

    private static boolean isWaitingFollower(FailedMessage message) {
        return message.isFollower() && !message.isOnItsWay();
    }

    /** A retry has failed: the message keeps its place. */
    void failedAgain(Transaction transaction, Retry retry, Failure failure) {
        ParkedKey key = ParkedKey.of(retry.original(), handler);
        List<FailedMessage> first = parked.lock(transaction, key, 1);
        if (!first.isEmpty() && retry.isOf(first.get(0))) {
            parked.failAgain(transaction, first.get(0).id(), failure);
            parked.endRetries(transaction, key);
        }
    }
}
