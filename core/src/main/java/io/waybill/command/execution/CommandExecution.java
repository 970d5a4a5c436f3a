package io.waybill.command.execution;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandRetries;
import io.waybill.command.DomainCommand;
import io.waybill.command.ReplyListener;
import io.waybill.command.ReplyListener.Receipt;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.handler.RegisteredHandler;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.command.store.CommandStore;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.relay.route.Continuation;
import io.waybill.store.Transaction;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a command in the transaction of its handler: the handler, the command's end and its reply, together or not at
 * all.
 *
 * <p><i>Threads:</i> safe.
 */
final class CommandExecution {

    private static final Logger log = LoggerFactory.getLogger(CommandExecution.class);

    private final AutoCommandHandlerRegistry handlers;
    private final CommandStore store;
    private final Outbox outbox;
    private final PayloadCodec codec;
    private final ReplyJson json;
    private final CommandRetries retries;
    private final ReplyWaiters waiters;
    private final List<ReplyListener> listeners = new CopyOnWriteArrayList<>();

    CommandExecution(
            AutoCommandHandlerRegistry handlers,
            CommandStore store,
            Outbox outbox,
            PayloadCodec codec,
            CommandRetries retries,
            ReplyWaiters waiters) {
        this.handlers = handlers;
        this.store = store;
        this.outbox = outbox;
        this.codec = codec;
        this.json = new ReplyJson(codec);
        this.retries = retries;
        this.waiters = waiters;
    }

    void listener(ReplyListener listener) {
        listeners.add(listener);
    }

    /** Runs a command that was accepted on this database, and leaves its end and its reply to be written. */
    Runnable execute(Envelope envelope, Transaction transaction, Continuation continuation) throws Exception {
        CommandMessage message = CommandMessage.read(envelope);
        CommandReply reply = run(message, transaction);
        return () -> {
            complete(message, reply, transaction);
            hand(message, reply, transaction, continuation);
        };
    }

    /** Runs a command that nobody else has heard of. It is written when it is over. */
    CommandReply executeNew(CommandRecord command, Transaction transaction) {
        try {
            CommandReply reply =
                    run(command.commandId(), command.correlationId(), command.type(), Payload.text(command.payload()));
            store.insertNew(transaction, List.of(command.completed(json.write(reply))));
            return reply;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    /** Ends a command that its handler could not handle, and that will not be tried again. */
    void failed(Envelope envelope, Throwable error, Transaction transaction) {
        CommandMessage message = CommandMessage.read(envelope);
        if (error instanceof CommandOverException) {
            log.info("WB-502 A command {} was rolled back. {}", message.type(), error.getMessage());
            return;
        }
        log.debug("Command {} ({}) failed.", message.commandId(), message.type(), error);
        CommandReply reply =
                CommandReply.failed(message.commandId(), message.correlationId(), error, retries.verdict(error));
        if (store.end(transaction, message.commandId(), message.attempt(), CommandStatus.FAILED, json.write(reply))) {
            hand(message, reply, transaction, Continuation.NONE);
        }
    }

    /** Whether it is of no use that this node tries the command again. */
    boolean isHopeless(Envelope envelope, Throwable error) {
        return CommandMessage.read(envelope).byRules() || retries.verdict(error) != CommandReply.Retry.ALLOWED;
    }

    /** Runs a command that came from a broker, or replies again if it was run before. */
    void executeForeign(Envelope envelope, Transaction transaction) throws Exception {
        CommandMessage message = CommandMessage.read(envelope);
        Optional<CommandRecord> known = store.insert(transaction, message.record());
        if (known.isPresent() && !known.get().commandId().equals(message.commandId())) {
            send(message, rejected(message, known.get()));
        } else if (known.isPresent() && hasReply(known.get(), message)) {
            sendAgain(message, known.get());
        } else {
            known.ifPresent(before -> store.begin(transaction, message.commandId(), message.attempt()));
            CommandReply reply = run(message, transaction);
            complete(message, reply, transaction);
            send(message, reply);
        }
    }

    private void sendAgain(CommandMessage message, CommandRecord known) {
        log.info(
                "WB-503 Command {} ({}) was run before; its stored reply is sent again.",
                message.commandId(),
                message.type());
        send(message, json.read(message.commandId(), message.correlationId(), known.reply()));
    }

    /** Ends a command from a broker that its handler could not handle. */
    void failedForeign(Envelope envelope, Throwable error, Transaction transaction) {
        CommandMessage message = CommandMessage.read(envelope);
        Optional<CommandRecord> known = store.insert(transaction, message.record());
        if (known.isPresent()
                && known.get().commandId().equals(message.commandId())
                && hasReply(known.get(), message)) {
            sendAgain(message, known.get());
            return;
        }
        CommandReply reply =
                CommandReply.failed(message.commandId(), message.correlationId(), error, retries.verdict(error));
        known.ifPresent(before -> store.begin(transaction, message.commandId(), message.attempt()));
        store.end(transaction, message.commandId(), message.attempt(), CommandStatus.FAILED, json.write(reply));
        send(message, reply);
    }

    /** Takes the reply of a handler elsewhere. */
    void takeReply(Envelope envelope, Transaction transaction) {
        CommandMessage message = CommandMessage.read(envelope);
        CommandReply reply = json.read(
                message.commandId(), message.correlationId(), envelope.payload().asText());
        CommandStatus status = reply instanceof CommandReply.Completed ? CommandStatus.COMPLETED : CommandStatus.FAILED;
        boolean news = store.end(transaction, message.commandId(), message.attempt(), status, json.write(reply));
        Receipt receipt = notifyListener(message.attempt(), reply, Continuation.NONE);
        if (news) {
            transaction.afterCommit(() -> waiters.replied(reply));
        } else if (receipt == Receipt.NOT_MINE) {
            if (store.lock(transaction, List.of(message.commandId())).isEmpty()) {
                throw new UnknownReplyException(message.commandId(), message.type());
            }
            log.info(
                    "WB-504 A reply to command {} ({}) arrived after the timeout or a second time, and is ignored: {}",
                    message.commandId(),
                    message.type(),
                    envelope.payload().asText());
        }
    }

    /** No reply came in time: the command has failed, and does not run any more. */
    boolean expire(CommandRecord command, Transaction transaction) {
        CommandReply reply = CommandReply.timedOut(
                command.commandId(), command.correlationId(), "No reply before " + command.timeoutAt() + ".");
        boolean expired =
                store.end(transaction, command.commandId(), command.attempt(), CommandStatus.FAILED, json.write(reply));
        if (expired) {
            log.warn(
                    "WB-505 Command {} ({}) timed out without a reply. Check that its handler runs, and how long its"
                            + " queue is.",
                    command.commandId(),
                    command.type());
            notifyListener(command.attempt(), reply, Continuation.NONE);
            transaction.afterCommit(() -> waiters.replied(reply));
        }
        return expired;
    }

    private CommandReply run(CommandMessage message, Transaction transaction) throws Exception {
        if (message.refuses().isPresent()) {
            return CommandReply.completed(
                    message.commandId(),
                    message.correlationId(),
                    refuse(message.refuses().get(), transaction));
        }
        return run(
                message.commandId(),
                message.correlationId(),
                message.type(),
                message.envelope().payload());
    }

    private CommandReply run(UUID commandId, UUID correlationId, String type, Payload payload) throws Exception {
        RegisteredHandler handler = handlers.handler(type);
        DomainCommand command = codec.decode(payload, handler.command());
        return CommandReply.completed(commandId, correlationId, json.data(call(handler, command)));
    }

    /** Whether the command was done; if not, it never will be from now on. */
    private Map<String, Object> refuse(UUID commandId, Transaction transaction) {
        String reply = json.write(CommandReply.failed(commandId, commandId, "Its sender gave it up before it ran."));
        return store.refuse(transaction, CommandRecord.refused(commandId, reply))
                .map(done -> json.read(commandId, done.correlationId(), done.reply()))
                .map(done ->
                        Refusal.done(done instanceof CommandReply.Completed completed ? completed.data() : Map.of()))
                .orElseGet(Refusal::refused);
    }

    /** What is known of a command without a reply in time; its row is locked. */
    CommandReply known(CommandRecord command, boolean isRemote) {
        if (command.status().isOver()) {
            return json.read(command.commandId(), command.correlationId(), command.reply());
        }
        return isRemote
                ? CommandReply.timedOut(command.commandId(), command.correlationId(), "It went to a broker.")
                : CommandReply.failed(command.commandId(), command.correlationId(), "It has not been done.");
    }

    /** Its sender waits no longer: a handler on this database cannot complete this attempt any more. */
    void giveUp(UUID commandId, int attempt, String why, Transaction transaction) {
        String reply = json.write(CommandReply.failed(commandId, commandId, why));
        store.end(transaction, commandId, attempt, CommandStatus.FAILED, reply);
    }

    private static @Nullable Object call(RegisteredHandler handler, DomainCommand command) throws Exception {
        try {
            return handler.handle(command);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    private void complete(CommandMessage message, CommandReply reply, Transaction transaction) {
        store.complete(transaction, message.commandId(), message.attempt(), json.write(reply));
    }

    /** Who waits on this database hears it in the same transaction. */
    private void hand(CommandMessage message, CommandReply reply, Transaction transaction, Continuation continuation) {
        notifyListener(message.attempt(), reply, continuation);
        transaction.afterCommit(() -> waiters.replied(reply));
    }

    private Receipt notifyListener(int attempt, CommandReply reply, Continuation continuation) {
        Receipt receipt = Receipt.NOT_MINE;
        for (ReplyListener listener : listeners) {
            Receipt given = listener.onReply(attempt, reply, continuation);
            receipt = given == Receipt.NOT_MINE ? receipt : given;
        }
        return receipt;
    }

    private void send(CommandMessage message, CommandReply reply) {
        if (!message.replyTo().isEmpty()) {
            outbox.append(message.reply(json.write(reply)));
        }
    }

    private CommandReply rejected(CommandMessage message, CommandRecord other) {
        return CommandReply.failed(
                message.commandId(),
                message.correlationId(),
                new WaybillException("The idempotency key '" + other.idempotencyKey() + "' belongs to command "
                        + other.commandId() + "."),
                CommandReply.Retry.FORBIDDEN);
    }

    /** An attempt that was not answered with success may be followed by another one. */
    private static boolean hasReply(CommandRecord known, CommandMessage message) {
        return known.status() == CommandStatus.COMPLETED
                || (known.status() == CommandStatus.FAILED && known.attempt() >= message.attempt());
    }
}
