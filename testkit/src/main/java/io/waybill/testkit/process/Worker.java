package io.waybill.testkit.process;

import io.waybill.command.CommandReply;
import io.waybill.command.CommandReply.Retry;
import io.waybill.process.StepCommand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Handles commands as the command bus does: each once, an attempt that is older than one it has seen not at all, one that has
 * been undone before it came is refused.
 */
final class Worker {

    private final Handlers handlers;
    private final Map<UUID, CommandReply> done = new HashMap<>();
    private final Map<UUID, Integer> attempts = new HashMap<>();
    private final Map<UUID, String> refused = new HashMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<String> handled = new ArrayList<>();

    Worker(Handlers handlers) {
        this.handlers = handlers;
    }

    List<Effect> effects() {
        return List.copyOf(effects);
    }

    /** Every command that was given to a handler, failed attempts included: steps by their name, compensations by their type. */
    List<String> handled() {
        return List.copyOf(handled);
    }

    /**
     * Handles the command.
     *
     * @param fate what happens instead of the handler, or nothing
     * @return the answer, or none when the attempt is outdated
     */
    Optional<CommandReply> handle(StepCommand command, @Nullable CommandReply fate) {
        CommandReply before = done.get(command.commandId());
        if (before != null) {
            return Optional.of(before);
        }
        if (refused.containsKey(command.commandId())) {
            return Optional.of(
                    CommandReply.failed(command.commandId(), command.processId(), "It was undone before it came."));
        }
        if (attempts.getOrDefault(command.commandId(), 0) > command.attempt()) {
            return Optional.empty();
        }
        attempts.put(command.commandId(), command.attempt());
        if (command.undoes() != null && !done.containsKey(command.undoes())) {
            refused.put(command.undoes(), command.step());
            return Optional.of(completed(command, Map.of()));
        }
        handled.add(command.undoes() == null ? command.step() : command.type());
        return Optional.of(fate != null ? fate : run(command));
    }

    private CommandReply run(StepCommand command) {
        try {
            CommandReply reply = completed(command, handlers.handle(command.type(), command.payload()));
            done.put(command.commandId(), reply);
            effects.add(new Effect(command.processId(), command.step(), command.undoes() != null));
            return reply;
        } catch (RuntimeException e) {
            return CommandReply.failed(command.commandId(), command.processId(), e, Retry.BY_RULE);
        }
    }

    private static CommandReply completed(StepCommand command, Map<String, Object> data) {
        return CommandReply.completed(command.commandId(), command.processId(), data);
    }
}
