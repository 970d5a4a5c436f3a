package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.command.execution.CommandDispatch;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.message.Envelope;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.ProcessMessageJson;
import io.waybill.process.message.StartRefusedException;
import io.waybill.process.message.StepCommand;
import io.waybill.relay.route.Continuation;
import io.waybill.relay.route.Route;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Sends the commands of processes by the command bus, and what processes tell each other by the outbox. */
public final class BusCommandSender implements CommandSender {

    private final CommandRuntime commandRuntime;
    private final Outbox outbox;
    private final ProcessMessageJson json;

    public BusCommandSender(CommandRuntime commandRuntime, Outbox outbox, PayloadCodec codec) {
        this.commandRuntime = commandRuntime;
        this.outbox = outbox;
        this.json = new ProcessMessageJson(codec);
    }

    @Override
    public void send(Transaction transaction, List<StepCommand> commands, Map<String, String> trace) {
        commandRuntime.dispatch(
                transaction,
                commands.stream().map(command -> dispatch(command, trace)).toList());
    }

    @Override
    public Optional<CommandReply> run(Transaction transaction, StepCommand command, Continuation continuation) {
        return commandRuntime.run(transaction, dispatch(command, Map.of()), continuation);
    }

    private static CommandDispatch dispatch(StepCommand step, Map<String, String> trace) {
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
                Optional.ofNullable(step.refuses()),
                trace);
    }

    @Override
    public Map<UUID, CommandReply> lock(Transaction transaction, Collection<UUID> commandIds) {
        return commandRuntime.lock(transaction, commandIds);
    }

    @Override
    public void end(Transaction transaction, List<Decision.Ended> commands) {
        commands.forEach(ended -> commandRuntime.giveUp(transaction, ended.commandId(), ended.attempt(), ended.why()));
    }

    @Override
    public void sendMessages(Transaction transaction, List<ProcessMessage> messages, Map<String, String> trace) {
        outbox.append(messages.stream()
                .map(json::message)
                .map(message -> trace.isEmpty() ? message : message.headers(trace))
                .toList());
    }

    @Override
    public Set<String> handledHere() {
        return commandRuntime.handledHere();
    }

    /** Bring what processes of the versions that this node has are told to its manager. */
    public List<Route> routes(Transactions transactions, ProcessManager manager) {
        Stream<String> ofVersions = manager.definitions().all().stream()
                .flatMap(definition -> Stream.of(
                        ProcessMessageJson.destination(definition.type(), definition.version()),
                        ProcessMessageJson.destination(definition.type())));
        return Stream.concat(Stream.of(ProcessMessageJson.DESTINATION), ofVersions)
                .distinct()
                .map(destination -> Route.handled(
                                destination, transactions, (message, transaction) -> hear(message, manager))
                        .maxAttempts(Integer.MAX_VALUE)
                        .giveUpWhen((message, error) -> error instanceof StartRefusedException))
                .toList();
    }

    /** What this node cannot do goes, in the same commit, to where only those take it that have the version of the process. */
    private void hear(Envelope message, ProcessManager manager) {
        ProcessMessage heard = json.read(message.payload());
        if (!manager.onMessage(heard)) {
            String elsewhere = manager.versionOf(heard.processId())
                    .map(version -> ProcessMessageJson.destination(version.processType(), version.version()))
                    .filter(destination -> !destination.equals(message.destination()))
                    .orElseThrow(() -> new ElsewhereException(message.partitionKey()));
            outbox.append(json.message(heard, elsewhere));
        }
    }
}
