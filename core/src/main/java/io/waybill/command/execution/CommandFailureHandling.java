package io.waybill.command.execution;

import io.waybill.inbox.Retry;
import io.waybill.inbox.receive.FailureHandling;
import io.waybill.inbox.receive.FailureLog;
import io.waybill.message.Envelope;
import io.waybill.message.UuidV7;
import io.waybill.relay.route.Route;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.OutboxStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of commands from a broker that could not be handled: those that may succeed later wait in the outbox of this process, and
 * later ones of their key behind them; the others are answered.
 *
 * @param unreadable for what has no sender that could be answered
 */
record CommandFailureHandling(
        CommandRuntime commandRuntime,
        String queue,
        OutboxStore outbox,
        WaitingKeys waiting,
        FailureHandling unreadable)
        implements FailureHandling {

    static final String HANDLER = "command";

    /** A failure is a reply, and its sender decides what to do about it: nobody else needs to hear of it. */
    @Override
    public Optional<FailureLog.Failed> put(Transaction transaction, Envelope message, int attempts, Throwable error) {
        if (!CommandMessage.isReadable(message)) {
            return unreadable.put(transaction, message, attempts, error);
        }
        if (attempts == 0 || commandRuntime.triesAgain(message, error)) {
            later(transaction, message);
        } else {
            commandRuntime.replyWithFailure(message, error, transaction);
        }
        return Optional.empty();
    }

    private void later(Transaction transaction, Envelope message) {
        outbox.append(transaction, List.of(CommandMessage.read(message).again(UuidV7.SYSTEM.get(), destination())));
        if (message.isOrdered()) {
            waiting.add(transaction, destination(), message.partitionKey());
        }
    }

    @Override
    public Set<String> waitingKeys(Transaction transaction, String source, Collection<String> keys) {
        return waiting.among(transaction, destination(), keys);
    }

    /** Where those are taken up again that wait. */
    Route route(Transactions transactions) {
        return commandRuntime
                .patiently(Route.handled(destination(), transactions, (message, transaction) -> {
                    waitsNoMore(message, transaction);
                    commandRuntime.received(message, transaction);
                }))
                .whenExhausted((message, attempts, error, transaction) -> {
                    waitsNoMore(message, transaction);
                    commandRuntime.replyWithFailure(message, error, transaction);
                });
    }

    private void waitsNoMore(Envelope message, Transaction transaction) {
        if (message.isOrdered()) {
            waiting.remove(transaction, destination(), message.partitionKey());
        }
    }

    private String destination() {
        return Retry.destinationOf(HANDLER, queue);
    }
}
