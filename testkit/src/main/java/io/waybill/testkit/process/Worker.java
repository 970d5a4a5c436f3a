package io.waybill.testkit.process;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.command.execution.Refusal;
import io.waybill.process.message.StepCommand;
import io.waybill.process.message.StepCommand.Purpose;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Handles commands on one database as the command bus does: each once, an attempt that is older than one it has seen not at all, and not
 * one that was refused or ended before.
 */
final class Worker {

    private final Handlers handlers;
    private final List<String> handled;
    private final Map<UUID, CommandReply> done = new HashMap<>();
    private final Map<UUID, Integer> attempts = new HashMap<>();
    private final Map<UUID, Integer> ended = new HashMap<>();
    private final Set<UUID> refused = new HashSet<>();

    /**
     * What comes of a command, once it is committed.
     *
     * @param effect whether the application's data are changed
     */
    record Handled(StepCommand command, CommandReply reply, boolean effect) {}

    /** @param handled collects the commands that were given to a handler */
    Worker(Handlers handlers, List<String> handled) {
        this.handlers = handlers;
        this.handled = handled;
    }

    /**
     * Handles the command; nothing of it stays before {@link #commit}.
     *
     * @param fate what happens instead of the handler, or nothing
     * @return what comes of it, or nothing when the attempt must not run any more
     */
    Optional<Handled> handle(StepCommand command, @Nullable CommandReply fate) {
        UUID id = command.commandId();
        if (done.containsKey(id)) {
            return Optional.of(new Handled(command, done.get(id), false));
        }
        if (refused.contains(id)) {
            var reply = CommandReply.failed(id, command.processId(), "It was given up before it came.");
            return Optional.of(new Handled(command, reply, false));
        }
        if (attempts.getOrDefault(id, 0) > command.attempt() || ended.getOrDefault(id, 0) >= command.attempt()) {
            return Optional.empty();
        }
        if (command.purpose() == Purpose.REFUSAL) {
            return Optional.of(new Handled(command, refusal(command), false));
        }
        handled.add(command.purpose() == Purpose.STEP ? command.step() : command.type());
        return Optional.of(fate != null ? new Handled(command, fate, false) : run(command));
    }

    void commit(Handled outcome) {
        StepCommand command = outcome.command();
        attempts.merge(command.commandId(), command.attempt(), Math::max);
        if (outcome.reply() instanceof CommandReply.Completed) {
            done.put(command.commandId(), outcome.reply());
        }
        if (command.refuses() != null && !done.containsKey(command.refuses())) {
            refused.add(command.refuses());
        }
    }

    /** The process waits no longer for this attempt. */
    void end(UUID commandId, int attempt) {
        ended.merge(commandId, attempt, Math::max);
    }

    /** What it replied, if it was done here. */
    Optional<CommandReply> done(UUID commandId) {
        return Optional.ofNullable(done.get(commandId));
    }

    private CommandReply refusal(StepCommand command) {
        CommandReply before = command.refuses() == null ? null : done.get(command.refuses());
        return completed(
                command,
                before instanceof CommandReply.Completed completed
                        ? Refusal.done(completed.data())
                        : Refusal.refused());
    }

    private Handled run(StepCommand command) {
        try {
            return new Handled(command, completed(command, handlers.handle(command.type(), command.payload())), true);
        } catch (RuntimeException e) {
            return new Handled(
                    command, CommandReply.failed(command.commandId(), command.processId(), e, Retry.BY_RULE), false);
        }
    }

    private static CommandReply completed(StepCommand command, Map<String, Object> data) {
        return CommandReply.completed(command.commandId(), command.processId(), data);
    }
}
