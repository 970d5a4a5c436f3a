package io.waybill.command.execution;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.command.BusinessKey;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandTypes;
import io.waybill.command.DomainCommand;
import io.waybill.command.IdempotencyConflictException;
import io.waybill.command.IdempotencyKey;
import io.waybill.command.PendingReply;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.command.store.CommandStore;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.message.UuidV7;
import io.waybill.outbox.Outbox;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Commands in a table, and messages about them in the outbox. */
final class StoredCommandBus implements CommandBus {

    private final AutoCommandHandlerRegistry handlers;
    private final CommandStore store;
    private final Outbox outbox;
    private final Transactions transactions;
    private final CommandNaming naming;
    private final PayloadCodec codec;
    private final ReplyWaiters waiters;
    private final Time time;

    StoredCommandBus(
            AutoCommandHandlerRegistry handlers,
            CommandStore store,
            Outbox outbox,
            Transactions transactions,
            CommandNaming naming,
            PayloadCodec codec,
            ReplyWaiters waiters,
            Time time) {
        this.handlers = handlers;
        this.store = store;
        this.outbox = outbox;
        this.transactions = transactions;
        this.naming = naming;
        this.codec = codec;
        this.waiters = waiters;
        this.time = time;
    }

    @Override
    public UUID accept(
            String type, String idempotencyKey, String businessKey, String payload, Map<String, String> headers) {
        Payload checked = Payload.json(payload);
        if (handlers.handles(type)) {
            codec.decode(checked, handlers.handler(type).command());
        }
        return accept(
                type,
                new IdempotencyKey(idempotencyKey),
                new BusinessKey(businessKey),
                payload,
                CommandOptions.DEFAULT.headers(headers));
    }

    @Override
    public UUID accept(
            DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, CommandOptions options) {
        return accept(
                CommandTypes.of(command.getClass()),
                idempotencyKey,
                businessKey,
                codec.encode(command).asText(),
                options);
    }

    @Override
    public UUID schedule(DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, Instant at) {
        Duration delay = Duration.between(time.clock().instant(), at);
        return accept(
                command,
                idempotencyKey,
                businessKey,
                CommandOptions.DEFAULT.after(delay.isNegative() ? Duration.ZERO : delay));
    }

    @Override
    public PendingReply send(
            DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, CommandOptions options) {
        var reply = new CompletableFuture<CommandReply>();
        UUID commandId = transactions.inTransaction(transaction -> {
            UUID accepted = accept(command, idempotencyKey, businessKey, options);
            if (!transaction.afterCommit(() -> waiters.add(accepted, reply))) {
                waiters.add(accepted, reply);
            }
            return accepted;
        });
        return new PendingReply(commandId, reply, codec);
    }

    private UUID accept(
            String type,
            IdempotencyKey idempotencyKey,
            BusinessKey businessKey,
            String payload,
            CommandOptions options) {
        UUID commandId = UuidV7.SYSTEM.get();
        var command = new CommandRecord(
                commandId,
                type,
                idempotencyKey.value(),
                businessKey.value(),
                commandId,
                1,
                payload,
                CommandStatus.PENDING,
                "",
                options.timeout().isZero() ? null : time.clock().instant().plus(options.timeout()));
        return transactions.inTransaction(transaction -> accept(command, options, transaction));
    }

    /** A caller may catch what is thrown here and commit: the message that refuses what cannot be sent comes before the row. */
    private UUID accept(CommandRecord command, CommandOptions options, Transaction transaction) {
        transaction.requireWritable("CommandBus.accept");
        Message message = message(command, options);
        outbox.checkDestination(naming.queueOf(command.type()));
        Optional<CommandRecord> known = store.insert(transaction, command);
        if (known.isPresent()) {
            return same(known.get(), command);
        }
        outbox.append(message);
        return command.commandId();
    }

    private Message message(CommandRecord command, CommandOptions options) {
        String queue = naming.queueOf(command.type());
        Message message = CommandMessage.of(command, queue, naming.replyQueue(), options.headers())
                .after(options.delay());
        if (!command.businessKey().isEmpty()) {
            return message.inOrderOf(command.businessKey());
        }
        if (outbox.isOrdered(queue)) {
            throw new WaybillException("Messages to '" + queue + "' keep an order, but this " + command.type()
                    + " has no business key. Pass one, businessKey(order.id()), with the id of the thing whose commands"
                    + " must not overtake each other; or leave this queue out of the ordered destinations.");
        }
        return message;
    }

    private static UUID same(CommandRecord known, CommandRecord command) {
        if (!known.isSameAs(command)) {
            throw new IdempotencyConflictException(
                    "Duplicate idempotency key: " + command.idempotencyKey() + " belongs to command "
                            + known.commandId() + ", a " + known.type() + " about '" + known.businessKey()
                            + "', and this " + command.type() + " about '" + command.businessKey()
                            + "' is not the same. A key stands for one request: give this one another, or repeat the first"
                            + " exactly.");
        }
        return known.commandId();
    }
}
