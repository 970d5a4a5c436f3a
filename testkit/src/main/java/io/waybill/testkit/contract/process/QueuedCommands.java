package io.waybill.testkit.contract.process;

import io.waybill.command.CommandReply;
import io.waybill.process.CommandSender;
import io.waybill.process.ProcessManager;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Commands that are on the way once their transaction has committed. */
final class QueuedCommands implements CommandSender {

    final Queue<StepCommand> sent = new ConcurrentLinkedQueue<>();
    final Queue<ProcessMessage> messages = new ConcurrentLinkedQueue<>();

    /** What messages said of the trace that they belong to. */
    final Queue<Map<String, String>> traces = new ConcurrentLinkedQueue<>();

    /** Commands that were sent, and processes that were told something. */
    private final Set<UUID> onTheWay = ConcurrentHashMap.newKeySet();

    /** Writes what is on the way where a database keeps it. */
    Optional<CommandSender> tables = Optional.empty();

    @Override
    public void send(Transaction transaction, List<StepCommand> commands, Map<String, String> trace) {
        tables.ifPresent(written -> written.send(transaction, commands, trace));
        transaction.afterCommit(() -> {
            sent.addAll(commands);
            traces.add(trace);
            commands.forEach(command -> onTheWay.add(command.commandId()));
        });
    }

    /** Handlers on other databases. */
    @Override
    public Map<UUID, CommandReply> lock(Transaction transaction, Collection<UUID> commandIds) {
        return Map.of();
    }

    @Override
    public void end(Transaction transaction, List<Decision.Ended> commands) {}

    @Override
    public void sendMessages(Transaction transaction, List<ProcessMessage> messages, Map<String, String> trace) {
        tables.ifPresent(written -> written.sendMessages(transaction, messages, trace));
        transaction.afterCommit(() -> {
            this.messages.addAll(messages);
            messages.forEach(message -> onTheWay.add(message.processId()));
        });
    }

    @Override
    public Set<String> handledHere() {
        return Set.of();
    }

    boolean isOnTheWay(UUID id) {
        return onTheWay.contains(id);
    }

    /** Answers everything that is on the way, and what follows from it: with its type, or with a failure. */
    void replyToAll(ProcessManager manager, String failing) {
        while (!sent.isEmpty() || !messages.isEmpty()) {
            ProcessMessage message = messages.poll();
            if (message != null) {
                manager.onMessage(message);
            }
            StepCommand command = sent.poll();
            if (command != null) {
                manager.onReply(command.attempt(), answer(command, failing));
            }
        }
    }

    /** Answers everything before the command of this step, and gives that. */
    StepCommand replyUpTo(ProcessManager manager, String step) {
        while (true) {
            ProcessMessage message = messages.poll();
            if (message != null) {
                manager.onMessage(message);
            }
            StepCommand command = sent.poll();
            if (command != null && command.step().equals(step)) {
                return command;
            } else if (command != null) {
                manager.onReply(command.attempt(), answer(command, ""));
            } else if (message == null) {
                throw new IllegalStateException("Nothing is on the way, and " + step + " was not begun.");
            }
        }
    }

    static CommandReply answer(StepCommand command, String failing) {
        return command.type().equals(failing)
                ? CommandReply.failed(command.commandId(), command.processId(), "it is said to fail")
                : CommandReply.completed(
                        command.commandId(), command.processId(), Map.of(command.step(), command.attempt()));
    }
}
