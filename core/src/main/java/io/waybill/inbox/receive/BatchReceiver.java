package io.waybill.inbox.receive;

import static java.util.stream.Collectors.toSet;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.observe.ObservedCall;
import io.waybill.store.Faults;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives for one handler. A batch is one transaction, hoping that all goes well; when a message fails, the batch is rolled back and
 * repeated in parts around it, and the message alone. What fails as often as is allowed is retried later or has failed, and what comes behind it
 * goes on. A database that is away is thrown, and everything is delivered again.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> one for the inbox rows and the work of a whole batch.
 */
public final class BatchReceiver implements Receiver {

    private static final Logger log = LoggerFactory.getLogger(BatchReceiver.class);

    /** After so many failures in one batch the rest of it goes one by one. */
    private static final int MAX_SPLITS = 3;

    /** How often a transaction is repeated that the database gave up for the sake of another. */
    private static final int MAX_VICTIMS = 10;

    private final Subscriber subscriber;
    private final Inbox inbox;
    private final FailedStore failed;
    private final FailureHandling failureHandling;
    private final ReceivingOptions options;
    private final InboxNotifier notifier;
    private final FailureLog failureLog;
    private volatile boolean stopped;

    public BatchReceiver(
            Subscriber subscriber,
            Inbox inbox,
            FailedStore failed,
            FailureHandling failureHandling,
            ReceivingOptions options,
            InboxListener listener) {
        this.subscriber = subscriber;
        this.inbox = inbox;
        this.failed = failed;
        this.failureHandling = failureHandling;
        this.options = options;
        this.notifier = new InboxNotifier(listener);
        this.failureLog = new FailureLog(subscriber.name(), Time.system());
    }

    @Override
    public void receive(List<Delivery> batch) {
        notifier.notifyListener(listener -> listener.received(subscriber.name(), batch.size()));
        var left = new ArrayDeque<List<ExaminedDelivery>>();
        left.push(batch.stream()
                .map(delivery -> ExaminedDelivery.of(delivery, subscriber))
                .toList());
        int splits = 0;
        while (!left.isEmpty()) {
            List<ExaminedDelivery> part = left.pop();
            if (part.size() == 1) {
                alone(part.get(0));
            } else if (!part.isEmpty()) {
                int culprit = together(part);
                if (culprit < part.size()) {
                    split(part, splits++ < MAX_SPLITS ? culprit : -1).forEach(left::push);
                }
            }
        }
    }

    @Override
    public void stop() {
        stopped = true;
    }

    /** The parts to repeat, the last one first: what is before and behind the culprit, or each by itself when nobody knows. */
    private static List<List<ExaminedDelivery>> split(List<ExaminedDelivery> part, int culprit) {
        var parts = new ArrayList<List<ExaminedDelivery>>();
        if (culprit >= 0) {
            parts.add(part.subList(culprit + 1, part.size()));
            parts.add(part.subList(culprit, culprit + 1));
            parts.add(part.subList(0, culprit));
        } else {
            for (int i = part.size() - 1; i >= 0; i--) {
                parts.add(part.subList(i, i + 1));
            }
        }
        return parts;
    }

    /** One transaction for all of them; gives the place of the one that failed, -1 when it is not known, or the size. */
    private int together(List<ExaminedDelivery> part) {
        try {
            notifyListener(attempt(part));
            return part.size();
        } catch (HandedBackException e) {
            throw e;
        } catch (HandlingException e) {
            throwIfAway(e);
            return e.place;
        } catch (RuntimeException e) {
            throwIfAway(e);
            return -1;
        }
    }

    private void alone(ExaminedDelivery arrival) {
        int victims = 0;
        int tries = 0;
        while (true) {
            Throwable error;
            try {
                notifyListener(attempt(List.of(arrival)));
                return;
            } catch (HandedBackException e) {
                throw e;
            } catch (HandlingException e) {
                throwIfAway(e);
                error = e.reason;
            } catch (RuntimeException e) {
                throwIfAway(e);
                error = e;
            }
            if (Faults.isVictim(error)) {
                if (++victims > MAX_VICTIMS) {
                    throw new HandlingException(0, error);
                }
            } else if (++tries == options.tries()) {
                handleFailure(arrival, tries, error);
                return;
            } else {
                int soFar = tries;
                notifier.notifyListener(
                        listener -> listener.retried(subscriber.name(), arrival.message(), soFar, error));
            }
        }
    }

    private void handleFailure(ExaminedDelivery arrival, int tries, Throwable error) {
        Result result = inbox.transactions().inTransaction(transaction -> {
            var put = new Result();
            if (!inbox.store().record(transaction, List.of(arrival.entry())).isEmpty()) {
                handleFailure(transaction, arrival.message(), tries, error, put);
            }
            return put;
        });
        notifyListener(result);
    }

    private void handleFailure(Transaction transaction, Envelope message, int tries, Throwable error, Result result) {
        Optional<FailureLog.Failed> failure = failureHandling.put(transaction, message, tries, error);
        failure.ifPresent(result.failures::add);
        if (failure.isEmpty()) {
            result.handled.add(message);
            log.debug("Message {} could not be handled after {} attempts.", message.id(), tries, error);
        }
    }

    private static void throwIfAway(RuntimeException error) {
        if (Faults.isOutage(error)) {
            throw error;
        }
    }

    private Result attempt(List<ExaminedDelivery> part) {
        return inbox.transactions().inTransaction(transaction -> handle(transaction, part));
    }

    private Result handle(Transaction transaction, List<ExaminedDelivery> part) {
        var entries = new LinkedHashSet<InboxEntry>();
        part.forEach(arrival -> entries.add(arrival.entry()));
        var fresh = new LinkedHashSet<>(inbox.store().record(transaction, entries));
        Set<String> waiting = waitingKeys(transaction, part, fresh);
        var result = new Result();
        for (int i = 0; i < part.size(); i++) {
            ExaminedDelivery arrival = part.get(i);
            if (!fresh.remove(arrival.entry())) {
                result.duplicates.add(arrival.message());
            } else if (arrival.problem() != null) {
                putUnreadable(transaction, arrival, arrival.problem(), waiting, result);
            } else if (waiting.contains(arrival.key())) {
                handleFailure(transaction, arrival.message(), 0, new BehindAnotherException(arrival.key()), result);
            } else {
                run(transaction, arrival, i);
                result.handled.add(arrival.message());
            }
        }
        return result;
    }

    /** Where keys are parked it waits for its turn, and what comes behind it waits too. */
    private void putUnreadable(
            Transaction transaction, ExaminedDelivery arrival, Throwable problem, Set<String> waiting, Result result) {
        Envelope message = arrival.message();
        if (options.parksKeys() && waiting.contains(arrival.key())) {
            handleFailure(transaction, message, 1, new UnreadableException(problem), result);
            return;
        }
        failed.put(
                transaction,
                ErrorSummary.of(message, subscriber.name(), 1, problem).parkingKey(options.parksKeys()));
        result.failures.add(FailureLog.Failed.forGood(message, 1, problem));
        if (options.parksKeys() && message.isOrdered()) {
            waiting.add(arrival.key());
        }
    }

    private Set<String> waitingKeys(Transaction transaction, List<ExaminedDelivery> part, Set<InboxEntry> fresh) {
        Set<String> keys = part.stream()
                .filter(arrival ->
                        fresh.contains(arrival.entry()) && !arrival.key().isEmpty())
                .map(ExaminedDelivery::key)
                .collect(toSet());
        return keys.isEmpty()
                ? new HashSet<>()
                : new HashSet<>(failureHandling.waitingKeys(
                        transaction, part.get(0).message().destination(), keys));
    }

    private void run(Transaction transaction, ExaminedDelivery arrival, int place) {
        if (stopped) {
            throw new HandedBackException(subscriber.name());
        }
        Subscriber.Work work = arrival.work();
        if (work == null) {
            throw new IllegalStateException(
                    "A message that cannot be read was not stored as a failed message: " + arrival);
        }
        ObservedCall call = notifier.handling(arrival.message());
        String error = "";
        try {
            call.run(() -> {
                work.run(transaction, inbox.outbox());
                return place;
            });
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            error = e.toString();
            throw new HandlingException(place, e);
        } finally {
            call.end(error);
        }
    }

    private void notifyListener(Result result) {
        if (!result.handled.isEmpty()) {
            notifier.notifyListener(listener -> listener.handled(subscriber.name(), result.handled));
        }
        if (!result.duplicates.isEmpty()) {
            notifier.notifyListener(listener -> listener.duplicate(subscriber.name(), result.duplicates));
        }
        failureLog.add(result.failures);
        result.failures.forEach(failure -> notifier.notifyListener(listener ->
                listener.failed(subscriber.name(), failure.message(), failure.attempts(), failure.error())));
    }

    private static final class Result {
        final List<Envelope> handled = new ArrayList<>();
        final List<Envelope> duplicates = new ArrayList<>();
        final List<FailureLog.Failed> failures = new ArrayList<>();
    }

    /** The subscription closes: rolls the transaction back, and the batch is delivered again. */
    private static final class HandedBackException extends WaybillException {
        HandedBackException(String handler) {
            super("'" + handler + "' closes and hands back what it has not handled.");
        }
    }

    /** A handler threw: rolls the transaction back. */
    private static final class HandlingException extends RuntimeException {
        final int place;
        final Throwable reason;

        HandlingException(int place, Throwable reason) {
            super(reason.toString(), reason);
            this.place = place;
            this.reason = reason;
        }
    }
}
