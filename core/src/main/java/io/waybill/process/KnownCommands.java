package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.store.Transaction;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * What is known of the commands of a process that may be given up. They are locked before their process is, as handlers lock them; one that nobody
 * thought of is locked when it is asked for.
 */
final class KnownCommands implements Function<UUID, CommandReply> {

    private final CommandSender commands;
    private final Transaction transaction;
    private final ProcessDataCodec codec;
    private final Map<UUID, CommandReply> known = new HashMap<>();

    KnownCommands(CommandSender commands, Transaction transaction, ProcessDataCodec codec) {
        this.commands = commands;
        this.transaction = transaction;
        this.codec = codec;
    }

    /** For a decision that gives nothing up. */
    static Function<UUID, CommandReply> none() {
        return KnownCommands::inDoubt;
    }

    void lock(Collection<UUID> commandIds) {
        if (!commandIds.isEmpty()) {
            commands.lock(transaction, commandIds).forEach((id, reply) -> known.put(id, codec.normal(reply)));
        }
    }

    @Override
    public CommandReply apply(UUID commandId) {
        if (!known.containsKey(commandId)) {
            lock(List.of(commandId));
        }
        return known.computeIfAbsent(commandId, KnownCommands::inDoubt);
    }

    private static CommandReply inDoubt(UUID commandId) {
        return CommandReply.timedOut(commandId, commandId, "Nothing is known of the command.");
    }
}
