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
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * One transaction of a handler: the handler works, and then its message is taken out of the outbox and what Waybill itself has to write is
 * written, together. Messages that share a commit, or were refused before, are taken first; then what waited behind them is set free at the end.
 * A message from which something follows that is done next is not taken before that.
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
    Result together(List<ClaimedMessage> messages, Following following) {
        return attempt(messages, transaction -> begin(messages, transaction), following);
    }

    /** Handles a message, and nothing else with it. One that fails for the last time is put aside. */
    Result alone(ClaimedMessage message) {
        return concluded(message, together(List.of(message), Following.byTheOutbox(routes)));
    }

    /** What becomes of a message that ended like this without others. */
    Result concluded(ClaimedMessage message, Result result) {
        return concluded(new Task(message, message.envelope(), message.attempts()), result);
    }

    /** Handles a message, and then what follows from it, each in a transaction of its own. */
    Result inTurn(ClaimedMessage message, BooleanSupplier stays) {
        var task = new Task(message, message.envelope(), message.attempts());
        Commit commit = this;
        while (true) {
            var following = Following.inTheNextCommit(routes, task.handled(), stays);
            Result result = commit.perform(task, following);
            if (!(result instanceof Ended.Handled) || following.next().isEmpty()) {
                return result;
            }
            Following.Next next = following.next().get();
            task = new Task(message, next.message(), 0);
            commit = new Commit(store, routes, next.route(), held);
        }
    }

    /**
     * Something to be done for a message.
     *
     * @param handled the message itself, or one that follows from it
     * @param attempts how often that has been tried
     */
    private record Task(ClaimedMessage message, Envelope handled, int attempts) {}

    private Result perform(Task task, Following following) {
        return concluded(task, attempt(task, target.handler(), following));
    }

    private Result concluded(Task task, Result result) {
        return result instanceof Ended.Failed failed && isLast(task, failed)
                ? target.exhausted()
                        .map(exhausted -> putAside(task, exhausted, failed))
                        .orElse(result)
                : result;
    }

    private boolean isLast(Task task, Ended.Failed failed) {
        return task.attempts() + 1 >= route.maxAttempts() || target.hopeless().test(task.handled(), failed.cause());
    }

    private Result putAside(Task task, Target.Exhausted exhausted, Ended.Failed failed) {
        int attempts = task.attempts() + 1;
        Result result = attempt(
                task,
                (message, transaction) -> exhausted.put(message, attempts, failed.cause(), transaction),
                Following.byTheOutbox(routes));
        return result instanceof Ended.Handled ? new Ended.PutAside(task.handled(), attempts, failed.error()) : result;
    }

    private Result attempt(Task task, LocalHandler handler, Following following) {
        return attempt(
                List.of(task.message()),
                transaction -> List.of(begin(task.handled(), handler, transaction)),
                following);
    }

    private Result attempt(
            List<ClaimedMessage> messages, Function<Transaction, List<Runnable>> work, Following following) {
        for (int attempt = 1; ; attempt++) {
            try {
                return target.transactions()
                        .inTransaction(
                                transaction -> following.with(() -> handle(messages, work, following, transaction)));
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

    private Result handle(
            List<ClaimedMessage> messages,
            Function<Transaction, List<Runnable>> work,
            Following following,
            Transaction transaction) {
        boolean atLast = messages.size() == 1 && messages.get(0).state() == State.READY;
        if (held.deadline().hasPassed()
                || (!atLast && !store.take(transaction, held.leases(), messages, target.kept()))) {
            throw new Gone();
        }
        List<Runnable> left = work.apply(transaction);
        List<ClaimedMessage> due = messages.stream()
                .filter(message ->
                        message.state() == State.DUE && message.envelope().isOrdered())
                .toList();
        if (!due.isEmpty() && !store.freeFollowers(transaction, held.leases(), due)) {
            throw new Gone();
        }
        write(atLast ? messages : List.of(), left, following, transaction);
        return new Ended.Handled();
    }

    private List<Runnable> begin(List<ClaimedMessage> messages, Transaction transaction) {
        return messages.stream()
                .map(message -> begin(message.envelope(), target.handler(), transaction))
                .toList();
    }

    private static Runnable begin(Envelope message, LocalHandler handler, Transaction transaction) {
        try {
            return handler.begin(message, transaction);
        } catch (Throwable e) {
            throw new HandlerFailed(e);
        }
    }

    private void write(List<ClaimedMessage> toTake, List<Runnable> left, Following following, Transaction transaction) {
        try {
            store.finish(transaction, () -> {
                left.forEach(Runnable::run);
                if (following.next().isEmpty()) {
                    toTake.forEach(message -> store.takeAtLast(transaction, held.leases(), message, target.kept()));
                }
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
