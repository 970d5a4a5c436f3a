package io.waybill.process;

import io.waybill.command.CommandDispatch;
import io.waybill.command.CommandRecord;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandStatus;
import io.waybill.command.Commanding;
import io.waybill.message.Envelope;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.relay.Continuation;
import io.waybill.relay.Route;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.util.List;
import java.util.Optional;

/** Sends the commands of processes by the command bus, and what processes tell each other by the outbox. */
public final class BusCommands implements Commands {

    private final Commanding commanding;
    private final Outbox outbox;
    private final ProcessMessageJson json;

    public BusCommands(Commanding commanding, Outbox outbox, PayloadCodec codec) {
        this.commanding = commanding;
        this.outbox = outbox;
        this.json = new ProcessMessageJson(codec);
    }

    @Override
    public void send(Transaction transaction, List<StepCommand> commands) {
        commanding.dispatch(
                transaction, commands.stream().map(BusCommands::dispatch).toList());
    }

    @Override
    public Optional<CommandReply> run(Transaction transaction, StepCommand command, Continuation continuation) {
        return commanding.run(transaction, dispatch(command), continuation);
    }

    private static CommandDispatch dispatch(StepCommand step) {
        return new CommandDispatch(
                new CommandRecord(
                        step.commandId(),
                        step.type(),
                        step.idempotencyKey(),
                        step.businessKey(),
                        step.processId(),
                        step.attempt(),
                        step.payload(),
                        CommandStatus.PENDING,
                        "",
                        null),
                step.partitionKey(),
                Optional.ofNullable(step.undoes()));
    }

    @Override
    public void tell(Transaction transaction, List<ProcessMessage> messages) {
        outbox.append(messages.stream().map(json::message).toList());
    }

    /** Brings what processes tell each other to the manager of this node. */
    public Route route(Transactions transactions, ProcessManager manager) {
        return Route.handled(
                        ProcessMessageJson.DESTINATION, transactions, (message, transaction) -> hear(message, manager))
                .maxAttempts(Integer.MAX_VALUE);
    }

    private void hear(Envelope message, ProcessManager manager) {
        if (!manager.onMessage(json.read(message.payload()))) {
            throw new ElsewhereException(message.partitionKey());
        }
    }
}
