package io.waybill.relay.handle;

import io.waybill.message.Envelope;
import io.waybill.observe.ObservedCall;
import io.waybill.observe.RelayListener;
import io.waybill.relay.handle.HandlerResult.Result;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.route.Continuation;
import io.waybill.relay.route.LocalHandler;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.RouteTarget;
import io.waybill.store.DoomedTransactionException;
import io.waybill.store.Faults;
import io.waybill.store.GoneException;
import io.waybill.store.Transaction;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.List;

/**
 * One transaction of a handler: the handler works, then its message is taken out of the outbox and what Waybill itself has to write is
 * written, together. What waited behind a message that was refused before is set free with it.
 *
 * <p>Two relays that both believe to own a message meet at its row: the second finds nothing, and rolls its own transaction back. So a handler
 * that outlives its relay's lease does no harm.
 */
final class HandlerTransaction {

    /** How often a transaction is repeated at once that the database rolled back for the sake of others. */
    private static final int MAX_TRIES = 5;

    private final OutboxStore store;
    private final Route route;
    private final RouteTarget.Handled target;
    private final HeldShards held;
    private final RelayListener listener;

    HandlerTransaction(OutboxStore store, Route route, HeldShards held, RelayListener listener) {
        this.listener = listener;
        this.store = store;
        this.route = route;
        this.target = (RouteTarget.Handled) route.target();
        this.held = held;
    }

    /** Handles the messages, all of them in one transaction, and what follows from them as far as there is room. */
    Result together(List<ClaimedMessage> messages, Continuation continuation) {
        return attempt(messages, target.handler(), continuation);
    }

    /** Handles a message, and nothing else with it. One that fails for the last time is recorded as failed. */
    Result alone(ClaimedMessage message) {
        return concluded(message, together(List.of(message), Continuation.NONE));
    }

    /** What becomes of a message that ended like this without others. */
    Result concluded(ClaimedMessage message, Result result) {
        return result instanceof HandlerResult.Failed failed && isLast(message, failed)
                ? target.exhausted()
                        .map(exhausted -> recordFailure(message, exhausted, failed))
                        .orElse(result)
                : result;
    }

    private boolean isLast(ClaimedMessage message, HandlerResult.Failed failed) {
        return message.attempts() + 1 >= route.maxAttempts()
                || target.hopeless().test(message.envelope(), failed.cause());
    }

    private Result recordFailure(ClaimedMessage message, RouteTarget.Exhausted exhausted, HandlerResult.Failed failed) {
        int attempts = message.attempts() + 1;
        LocalHandler recorder =
                (envelope, transaction) -> exhausted.put(envelope, attempts, failed.cause(), transaction);
        Result result = attempt(List.of(message), recorder, Continuation.NONE);
        return result instanceof HandlerResult.Handled
                ? new HandlerResult.FailedForGood(attempts, failed.error())
                : result;
    }

    private Result attempt(List<ClaimedMessage> messages, LocalHandler handler, Continuation continuation) {
        for (int attempt = 1; ; attempt++) {
            List<ObservedCall> calls = observed(messages, handler);
            String error = "";
            try {
                return target.transactions()
                        .inTransaction(transaction -> handle(messages, handler, calls, continuation, transaction));
            } catch (GoneException e) {
                return new HandlerResult.Left();
            } catch (Throwable e) {
                Throwable cause = e instanceof HandlerFailed failed ? failed.reason : e;
                error = cause.toString();
                if (Faults.isVictim(cause) && attempt < MAX_TRIES) {
                    continue;
                }
                boolean itsOwn =
                        e instanceof HandlerFailed || e instanceof DoomedTransactionException || Faults.isWrongData(e);
                boolean blameless = !itsOwn || Faults.isOutage(cause);
                return blameless
                        ? new HandlerResult.RolledBack(cause.toString())
                        : new HandlerResult.Failed(cause.toString(), cause);
            } finally {
                for (ObservedCall call : calls) {
                    call.end(error);
                }
            }
        }
    }

    /** Only what the application does: to put a message aside is not to handle it. */
    private List<ObservedCall> observed(List<ClaimedMessage> messages, LocalHandler handler) {
        return messages.stream()
                .map(message -> handler == target.handler()
                        ? ObservedCall.guarded(() -> listener.handling(message.envelope()))
                        : ObservedCall.NONE)
                .toList();
    }

    private Result handle(
            List<ClaimedMessage> messages,
            LocalHandler handler,
            List<ObservedCall> calls,
            Continuation continuation,
            Transaction transaction) {
        if (held.deadline().hasPassed()) {
            throw new GoneException(messages.get(0).envelope().id());
        }
        continuation.restart();
        try {
            List<Runnable> left = new ArrayList<>(messages.size());
            for (int i = 0; i < messages.size(); i++) {
                Envelope message = messages.get(i).envelope();
                ObservedCall call = calls.get(i);
                Runnable rest = call.run(() -> handler.begin(message, transaction, continuation));
                left.add(() -> call.run(() -> run(rest)));
            }
            store.finish(transaction, () -> {
                store.take(transaction, held.leases(), messages, target.kept());
                left.forEach(Runnable::run);
            });
            return new HandlerResult.Handled();
        } catch (GoneException e) {
            throw e;
        } catch (Throwable e) {
            throw new HandlerFailed(e);
        }
    }

    private static boolean run(Runnable work) {
        work.run();
        return true;
    }

    private static final class HandlerFailed extends RuntimeException {
        final transient Throwable reason;

        HandlerFailed(Throwable reason) {
            super(null, reason, false, false);
            this.reason = reason;
        }
    }
}
