package io.waybill.relay;

import io.waybill.message.Envelope;
import io.waybill.relay.Ended.Result;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.ClaimedMessage.State;
import io.waybill.store.DoomedTransactionException;
import io.waybill.store.Faults;
import io.waybill.store.GoneException;
import io.waybill.store.OutboxStore;
import io.waybill.store.Transaction;
import java.util.List;

/**
 * One transaction of a handler: the handler works, and then its message is taken out of the outbox and what Waybill itself has to write is
 * written, together. Messages that share a commit, or were refused before, are taken first; then what waited behind them is set free at the end.
 *
 * <p>Two relays that both believe to own a message meet at its row: the second finds nothing, and undoes its own transaction. So a handler
 * that outlives its relay's lease does no harm.
 */
final class Commit {

    /** How often a transaction is repeated at once that the database undid for the sake of others. */
    private static final int MOST_TRIES = 5;

    private final OutboxStore store;
    private final Routes routes;
    private final Route route;
    private final Target.Handled target;
    private final Leasing.Held held;

    Commit(OutboxStore store, Routes routes, Route route, Leasing.Held held) {
        this.store = store;
        this.routes = routes;
        this.route = route;
        this.target = (Target.Handled) route.target();
        this.held = held;
    }

    /** Handles the messages, all of them in one transaction, and what follows from them as far as there is room. */
    Result together(List<ClaimedMessage> messages, SharedCommit shared) {
        return attempt(messages, target.handler(), shared);
    }

    /** Handles a message, and nothing else with it. */
    Result alone(ClaimedMessage message) {
        return attempt(List.of(message), target.handler(), new SharedCommit(routes, 0));
    }

    /** What becomes of a message that ended like this without others: one that has failed for the last time is put aside. */
    Result concluded(ClaimedMessage message, Result result) {
        return result instanceof Ended.Failed failed && isLast(message, failed)
                ? target.exhausted()
                        .map(exhausted -> putAside(message, exhausted, failed))
                        .orElse(result)
                : result;
    }

    private boolean isLast(ClaimedMessage message, Ended.Failed failed) {
        return message.attempts() + 1 >= route.maxAttempts()
                || target.hopeless().test(message.envelope(), failed.cause());
    }

    private Result putAside(ClaimedMessage message, Target.Exhausted exhausted, Ended.Failed failed) {
        Result result = attempt(
                List.of(message),
                (envelope, transaction) -> exhausted.put(envelope, message.attempts() + 1, failed.cause(), transaction),
                new SharedCommit(routes, 0));
        return result instanceof Ended.Handled ? new Ended.PutAside(failed.error()) : result;
    }

    private Result attempt(List<ClaimedMessage> messages, LocalHandler handler, SharedCommit shared) {
        for (int attempt = 1; ; attempt++) {
            try {
                return target.transactions()
                        .inTransaction(transaction -> shared.with(() -> handle(messages, handler, transaction)));
            } catch (Gone e) {
                return new Ended.Left();
            } catch (Throwable e) {
                Throwable cause = e instanceof HandlerFailed failed ? failed.reason : e;
                if (Faults.isVictim(cause) && attempt < MOST_TRIES) {
                    continue;
                }
                boolean itsOwn =
                        e instanceof HandlerFailed || e instanceof DoomedTransactionException || Faults.isWrongData(e);
                boolean blameless = !itsOwn || Faults.isOutage(cause);
                return blameless ? new Ended.Undone(cause.toString()) : new Ended.Failed(cause.toString(), cause);
            }
        }
    }

    private Result handle(List<ClaimedMessage> messages, LocalHandler handler, Transaction transaction) {
        boolean atLast = messages.size() == 1 && messages.get(0).state() == State.READY;
        if (held.deadline().hasPassed()
                || (!atLast && !store.take(transaction, held.leases(), messages, target.kept()))) {
            throw new Gone();
        }
        List<Runnable> left = messages.stream()
                .map(message -> begin(message.envelope(), handler, transaction))
                .toList();
        List<ClaimedMessage> due = messages.stream()
                .filter(message ->
                        message.state() == State.DUE && message.envelope().isOrdered())
                .toList();
        if (!due.isEmpty() && !store.freeFollowers(transaction, held.leases(), due)) {
            throw new Gone();
        }
        write(atLast ? messages : List.of(), left, transaction);
        return new Ended.Handled();
    }

    private static Runnable begin(Envelope message, LocalHandler handler, Transaction transaction) {
        try {
            return handler.begin(message, transaction);
        } catch (Throwable e) {
            throw new HandlerFailed(e);
        }
    }

    private void write(List<ClaimedMessage> toTake, List<Runnable> left, Transaction transaction) {
        try {
            store.finish(transaction, () -> {
                toTake.forEach(message -> store.takeAtLast(transaction, held.leases(), message, target.kept()));
                left.forEach(Runnable::run);
            });
        } catch (GoneException e) {
            throw new Gone();
        } catch (Throwable e) {
            throw new HandlerFailed(e);
        }
    }

    /** The message is no longer this relay's. */
    private static final class Gone extends RuntimeException {
        Gone() {
            super(null, null, false, false);
        }
    }

    private static final class HandlerFailed extends RuntimeException {
        final transient Throwable reason;

        HandlerFailed(Throwable reason) {
            super(null, reason, false, false);
            this.reason = reason;
        }
    }
}
