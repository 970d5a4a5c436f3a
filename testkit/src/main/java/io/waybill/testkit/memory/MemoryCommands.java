package io.waybill.testkit.memory;

import io.waybill.command.execution.CommandOverException;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.command.store.CommandStore;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands of a {@link MemoryStore}, under the same lock. A transaction that writes one keeps others waiting for it. */
final class MemoryCommands implements CommandStore {

    private final MemoryStore store;
    private final Map<UUID, CommandRecord> committed = new HashMap<>();
    private final Map<UUID, Instant> changedAt = new HashMap<>();

    MemoryCommands(MemoryStore store) {
        this.store = store;
    }

    @Override
    public Optional<CommandRecord> insert(Transaction transaction, CommandRecord command) {
        synchronized (store) {
            store.lock(transaction, command.idempotencyKey());
            store.lock(transaction, command.commandId());
            Optional<CommandRecord> known = all(transaction).values().stream()
                    .filter(other -> other.idempotencyKey().equals(command.idempotencyKey())
                            || other.commandId().equals(command.commandId()))
                    .findFirst();
            if (known.isEmpty()) {
                changes(transaction).put(command.commandId(), command);
            }
            return known;
        }
    }

    @Override
    public void insertNew(Transaction transaction, List<CommandRecord> commands) {
        commands.forEach(command -> insert(transaction, command));
    }

    @Override
    public boolean end(Transaction transaction, UUID commandId, int attempt, CommandStatus status, String reply) {
        return change(
                transaction,
                commandId,
                command -> command.status().isOver() || command.attempt() != attempt
                        ? null
                        : with(command, attempt, status, reply));
    }

    @Override
    public void complete(Transaction transaction, UUID commandId, int attempt, String reply) {
        if (!end(transaction, commandId, attempt, CommandStatus.COMPLETED, reply)) {
            throw new CommandOverException(commandId, attempt);
        }
    }

    @Override
    public boolean begin(Transaction transaction, UUID commandId, int attempt) {
        return change(
                transaction,
                commandId,
                command -> command.status() == CommandStatus.COMPLETED || command.attempt() >= attempt
                        ? null
                        : with(command, attempt, CommandStatus.PENDING, ""));
    }

    @Override
    public Optional<CommandRecord> refuse(Transaction transaction, CommandRecord refused) {
        boolean done = insert(transaction, refused).isPresent()
                && !change(
                        transaction,
                        refused.commandId(),
                        command -> command.status() == CommandStatus.COMPLETED
                                ? null
                                : with(command, refused.attempt(), CommandStatus.FAILED, refused.reply()));
        return done ? lock(transaction, List.of(refused.commandId())).stream().findFirst() : Optional.empty();
    }

    @Override
    public List<CommandRecord> lock(Transaction transaction, Collection<UUID> commandIds) {
        synchronized (store) {
            List<UUID> ids = commandIds.stream().sorted().toList();
            ids.forEach(id -> store.lock(transaction, id));
            Map<UUID, CommandRecord> all = all(transaction);
            return ids.stream().filter(all::containsKey).map(all::get).toList();
        }
    }

    private static CommandRecord with(CommandRecord command, int attempt, CommandStatus status, String reply) {
        return new CommandRecord(
                command.commandId(),
                command.type(),
                command.idempotencyKey(),
                command.businessKey(),
                command.correlationId(),
                attempt,
                command.payload(),
                status,
                reply,
                status.isOver() ? null : command.timeoutAt());
    }

    private boolean change(Transaction transaction, UUID commandId, UnaryOperator<@Nullable CommandRecord> change) {
        synchronized (store) {
            store.lock(transaction, commandId);
            CommandRecord command = all(transaction).get(commandId);
            @Nullable CommandRecord changed = command == null ? null : change.apply(command);
            if (changed != null) {
                changes(transaction).put(commandId, changed);
            }
            return changed != null;
        }
    }

    private Map<UUID, CommandRecord> all(Transaction transaction) {
        Map<UUID, CommandRecord> all = new HashMap<>(committed);
        all.putAll(changes(transaction));
        return all;
    }

    private static Map<UUID, CommandRecord> changes(Transaction transaction) {
        return ((MemoryTransaction) transaction).commands;
    }

    void commit(MemoryTransaction transaction) {
        committed.putAll(transaction.commands);
        transaction.commands.keySet().forEach(id -> changedAt.put(id, now()));
    }

    @Override
    public Optional<CommandRecord> find(UUID commandId) {
        synchronized (store) {
            return Optional.ofNullable(committed.get(commandId));
        }
    }

    @Override
    public List<CommandRecord> over(Collection<UUID> commandIds) {
        synchronized (store) {
            return committed.values().stream()
                    .filter(command -> commandIds.contains(command.commandId())
                            && command.status().isOver())
                    .toList();
        }
    }

    @Override
    public void processing(Collection<UUID> commandIds) {
        synchronized (store) {
            committed.replaceAll((id, command) -> commandIds.contains(id) && command.status() == CommandStatus.PENDING
                    ? with(command, command.attempt(), CommandStatus.PROCESSING, command.reply())
                    : command);
        }
    }

    @Override
    public List<CommandRecord> overdue(int limit) {
        synchronized (store) {
            return committed.values().stream()
                    .filter(command -> command.timeoutAt() != null && !now().isBefore(command.timeoutAt()))
                    .sorted(Comparator.comparing(CommandRecord::commandId))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public int removeOver(Duration olderThan, int limit) {
        synchronized (store) {
            List<UUID> old = over(olderThan).limit(limit).toList();
            old.forEach(committed::remove);
            return old.size();
        }
    }

    @Override
    public long countOver(Duration olderThan) {
        synchronized (store) {
            return over(olderThan).count();
        }
    }

    private Stream<UUID> over(Duration olderThan) {
        return committed.values().stream()
                .filter(command -> command.status().isOver())
                .map(CommandRecord::commandId)
                .filter(id -> changedAt.getOrDefault(id, now()).isBefore(now().minus(olderThan)));
    }

    private Instant now() {
        return store.time.clock().instant();
    }
}
