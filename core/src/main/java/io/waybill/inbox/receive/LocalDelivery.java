package io.waybill.inbox.receive;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Retry;
import io.waybill.inbox.Subscriber;
import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.outbox.Outbox;
import io.waybill.relay.route.Route;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.failed.Failure;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.OutboxStore;
import java.util.List;

/**
 * A handler at the end of a route of this process: its message is a row of the outbox, which goes with the handler's commit. What
 * the handler cannot handle is tried again with pauses, while its key waits, and then put among the failed messages.
 */
final class LocalDelivery {

    private final Subscriber subscriber;
    private final Outbox outbox;
    private final FailedStore failed;
    private final ParkedKeys parked;
    private final WaitingKeys waiting;
    private final ReceivingOptions options;
    private final InboxNotifier notifier;
    private final FailureLog failureLog;

    LocalDelivery(
            Subscriber subscriber,
            Outbox outbox,
            FailedStore failed,
            OutboxStore outboxStore,
            WaitingKeys waiting,
            ReceivingOptions options,
            InboxListener listener) {
        this.subscriber = subscriber;
        this.outbox = outbox;
        this.failed = failed;
        this.parked = new ParkedKeys(failed, outboxStore, subscriber.name());
        this.waiting = waiting;
        this.options = options;
        this.notifier = new InboxNotifier(listener);
        this.failureLog = new FailureLog(subscriber.name(), Time.system());
    }

    Route route(String destination, Transactions transactions) {
        return Route.handled(destination, transactions, this::handle)
                .maxAttempts(options.attempts())
                .backoff(options.backoff())
                .giveUpWhen((message, error) -> error instanceof UnreadableException)
                .whenRetried(failureLog::retried)
                .whenExhausted(this::recordFailure);
    }

    void handle(Envelope message, Transaction transaction) throws Exception {
        Retry retry = Retry.in(message);
        Envelope original = retry.original();
        waitsNoMore(message, transaction);
        if (retry.isOfParked()) {
            if (!parked.isNext(transaction, retry)) {
                return;
            }
        } else if (options.parksKeys() && parked.isParked(transaction, original)) {
            follow(message, retry, transaction);
            return;
        }
        open(retry).run(transaction, outbox);
        if (retry.isOfParked()) {
            parked.handled(transaction, retry);
        }
        transaction.afterCommit(
                () -> notifier.notifyListener(listener -> listener.handled(subscriber.name(), List.of(original))));
    }

    private void follow(Envelope message, Retry retry, Transaction transaction) {
        Envelope original = retry.original();
        Failure failure = retry.unreadable().isEmpty()
                ? ErrorSummary.of(original, subscriber.name(), 0, new BehindAnotherException(original.partitionKey()))
                : ErrorSummary.of(original, subscriber.name(), 1, new WaybillException(retry.unreadable()));
        failed.put(transaction, failure.parkingKey(true).ofRow(message.id(), retry.retries()));
    }

    private Subscriber.Work open(Retry retry) {
        if (!retry.unreadable().isEmpty()) {
            throw new UnreadableException(new WaybillException(retry.unreadable()));
        }
        try {
            return subscriber.open(retry.original());
        } catch (RuntimeException e) {
            throw new UnreadableException(e);
        }
    }

    private void recordFailure(Envelope message, int attempts, Throwable error, Transaction transaction) {
        Retry retry = Retry.in(message);
        Envelope original = retry.original();
        Throwable reason = error instanceof UnreadableException unreadable ? unreadable.reason() : error;
        waitsNoMore(message, transaction);
        Failure failure =
                ErrorSummary.of(original, subscriber.name(), attempts, reason).ofRow(message.id(), retry.retries());
        if (retry.isOfParked()) {
            parked.failedAgain(transaction, retry, failure);
        } else {
            failed.put(transaction, failure.parkingKey(options.parksKeys()));
        }
        transaction.afterCommit(() -> {
            failureLog.add(List.of(FailureLog.Failed.forGood(original, attempts, reason)));
            notifier.notifyListener(listener -> listener.failed(subscriber.name(), original, attempts, reason));
        });
    }

    private void waitsNoMore(Envelope message, Transaction transaction) {
        if (Retry.isCounted(message)) {
            waiting.remove(transaction, message.destination(), message.partitionKey());
        }
    }
}
