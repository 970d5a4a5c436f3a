package io.waybill.inbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.outbox.Outbox;
import io.waybill.relay.Route;
import io.waybill.store.FailedStore;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.WaitingKeys;
import java.util.List;

/**
 * A handler at the end of a route of this process: its message is a row of the outbox, which goes with the handler's commit. What
 * the handler cannot handle is tried again with pauses, while its key waits, and then put among the failed messages.
 */
final class LocalDelivery {

    private final Subscriber subscriber;
    private final Outbox outbox;
    private final FailedStore failed;
    private final WaitingKeys waiting;
    private final ReceivingOptions options;
    private final Telling telling;

    LocalDelivery(
            Subscriber subscriber,
            Outbox outbox,
            FailedStore failed,
            WaitingKeys waiting,
            ReceivingOptions options,
            InboxListener listener) {
        this.subscriber = subscriber;
        this.outbox = outbox;
        this.failed = failed;
        this.waiting = waiting;
        this.options = options;
        this.telling = new Telling(listener);
    }

    Route route(String destination, Transactions transactions) {
        return Route.handled(destination, transactions, this::handle)
                .maxAttempts(options.attempts())
                .backoff(options.backoff())
                .giveUpWhen((message, error) -> error instanceof UnreadableException)
                .whenExhausted(this::putAside);
    }

    void handle(Envelope message, Transaction transaction) throws Exception {
        Envelope original = Retry.in(message).original();
        waitsNoMore(message, transaction);
        if (isBehindAnother(original, transaction)) {
            var behind = new BehindAnotherException(original.partitionKey());
            failed.put(transaction, Failures.of(original, subscriber.name(), 0, behind));
            return;
        }
        open(original).run(transaction, outbox);
        transaction.afterCommit(() -> telling.tell(told -> told.handled(subscriber.name(), List.of(original))));
    }

    private Subscriber.Work open(Envelope message) {
        try {
            return subscriber.open(message);
        } catch (RuntimeException e) {
            throw new UnreadableException(e);
        }
    }

    private boolean isBehindAnother(Envelope message, Transaction transaction) {
        return options.parksKeys()
                && message.isOrdered()
                && !failed.failedKeys(
                                transaction, message.destination(), subscriber.name(), List.of(message.partitionKey()))
                        .isEmpty();
    }

    private void putAside(Envelope message, int attempts, Throwable error, Transaction transaction) {
        Envelope original = Retry.in(message).original();
        Throwable reason = error instanceof UnreadableException unreadable ? unreadable.reason : error;
        waitsNoMore(message, transaction);
        failed.put(transaction, Failures.of(original, subscriber.name(), attempts, reason));
        transaction.afterCommit(() -> telling.tell(told -> told.failed(subscriber.name(), original, attempts, reason)));
    }

    private void waitsNoMore(Envelope message, Transaction transaction) {
        if (Retry.isCounted(message)) {
            waiting.remove(transaction, message.destination(), message.partitionKey());
        }
    }

    /** It is of no use to try again what cannot be read. */
    private static final class UnreadableException extends WaybillException {
        private final transient RuntimeException reason;

        UnreadableException(RuntimeException reason) {
            super(reason.toString(), reason);
            this.reason = reason;
        }
    }
}
