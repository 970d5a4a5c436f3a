package io.waybill.testkit.process;

import io.waybill.command.CommandReply;
import io.waybill.process.CommandSender;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.engine.ProcessEngine;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.process.message.StepCommand.Purpose;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepStatus;
import io.waybill.store.OutdatedException;
import io.waybill.store.Transaction;
import io.waybill.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Everything around a process, in memory: what is on the way, who handles it, and a clock that is moved. */
public final class World implements CommandSender {

    /** Something on the way. */
    public sealed interface Item {}

    public record CommandItem(StepCommand command) implements Item {}

    public record ReplyItem(String step, int attempt, CommandReply reply) implements Item {}

    public record MessageItem(ProcessMessage message) implements Item {}

    /** A process that dies before it commits. */
    static final class Crash extends RuntimeException {
        Crash() {
            super("simulated crash", null, false, false);
        }
    }

    public final ManualClock clock = ManualClock.at(Instant.parse("2026-01-01T12:00:00Z"));
    public final MemoryProcessStore store = new MemoryProcessStore(clock.time());
    public final List<Item> pending = new ArrayList<>();
    final List<String> handled = new ArrayList<>();
    public final List<Effect> effects = new ArrayList<>();

    /** What must never happen, and has. */
    public final List<String> violations = new ArrayList<>();

    public final ProcessManager manager;

    public final ProcessDefinitions definitions;

    /** On the database of the process. */
    private final Worker local;

    /** Each on a database of its own. */
    private final List<Worker> remote;

    private final Predicate<String> isRemote;

    /** A node on the same database that has no definition. */
    private final ProcessManager bare;

    /** For tests of the simulator: what gets lost. */
    public Predicate<ProcessMessage> losing = message -> false;

    private final Map<UUID, StepCommand> sent = new HashMap<>();
    private boolean crashes;
    private long processes;

    /** @param isRemote which types of commands have their handlers on other databases */
    public World(ProcessDefinitions definitions, Handlers handlers, ProcessEngine engine, Predicate<String> isRemote) {
        this.definitions = definitions;
        this.local = new Worker(handlers, handled);
        this.remote = List.of(new Worker(handlers, handled), new Worker(handlers, handled));
        this.isRemote = isRemote;
        store.watch(this::isOnTheWay);
        this.bare = new ProcessManager(
                ProcessManagerParts.of(ProcessDefinitions.of(), store, this, store, handlers.codec(), clock.time()));
        this.manager = new ProcessManager(
                ProcessManagerParts.of(definitions, store, this, store, handlers.codec(), clock.time())
                        .with(engine)
                        .withIds(() -> new UUID(0x7000, ++processes)));
    }

    @Override
    public void send(Transaction transaction, List<StepCommand> commands, Map<String, String> trace) {
        commands.forEach(command -> transaction.afterCommit(() -> {
            store.read(command.processId())
                    .filter(state -> state.status() == ProcessStatus.PAUSED)
                    .ifPresent(state -> violations.add(command.step() + " was begun while the process was PAUSED."));
            if (command.deadline() != null && !command.deadline().isAfter(clock.instant())) {
                violations.add(command.step() + " was begun after its time was over.");
            }
            sent.put(command.commandId(), command);
            pending.add(new CommandItem(command));
        }));
    }

    @Override
    public Map<UUID, CommandReply> lock(Transaction transaction, Collection<UUID> commandIds) {
        return commandIds.stream().filter(sent::containsKey).collect(Collectors.toMap(id -> id, this::known));
    }

    private CommandReply known(UUID commandId) {
        StepCommand command = Objects.requireNonNull(sent.get(commandId));
        return isRemote(command)
                ? CommandReply.timedOut(commandId, command.processId(), "It went to a broker.")
                : local.done(commandId)
                        .orElseGet(() -> CommandReply.failed(commandId, command.processId(), "It was not done."));
    }

    public boolean isRemote(StepCommand command) {
        return isRemote.test(command.type());
    }

    @Override
    public void end(Transaction transaction, List<Decision.Ended> commands) {
        commands.forEach(command -> transaction.afterCommit(() -> local.end(command.commandId(), command.attempt())));
    }

    @Override
    public void sendMessages(Transaction transaction, List<ProcessMessage> messages, Map<String, String> trace) {
        messages.stream()
                .filter(losing.negate())
                .forEach(message -> transaction.afterCommit(() -> pending.add(new MessageItem(message))));
    }

    @Override
    public Set<String> handledHere() {
        return Set.of();
    }

    /** Whether a command, its reply, or a message to a process is on the way. */
    public boolean isOnTheWay(UUID id) {
        return pending.stream()
                .anyMatch(item -> item instanceof CommandItem command
                        ? command.command().commandId().equals(id)
                        : item instanceof ReplyItem reply
                                ? reply.reply().commandId().equals(id)
                                : ((MessageItem) item).message().processId().equals(id));
    }

    /** Lets something arrive; a fate is what the command is answered with instead of being handled. */
    public void deliver(Item item, @Nullable CommandReply fate) {
        if (item instanceof CommandItem command) {
            handle(command.command(), fate, manager);
        } else if (item instanceof ReplyItem reply) {
            inTransaction(() -> manager.onReply(reply.attempt(), reply.reply()));
        } else if (item instanceof MessageItem message) {
            inTransaction(() -> manager.onMessage(message.message()));
        }
    }

    /** Lets a reply, or a command of this database, arrive at a node that does not have the definition. */
    public void deliverElsewhere(Item item) {
        if (item instanceof CommandItem command) {
            handle(command.command(), null, bare);
        } else if (item instanceof ReplyItem reply) {
            inTransaction(() -> bare.onReply(reply.attempt(), reply.reply()));
        }
    }

    /** On the database of the process a command, its effects and what follows are one commit; elsewhere its reply is sent. */
    private void handle(StepCommand command, @Nullable CommandReply fate, ProcessManager node) {
        boolean isOver = store.read(command.processId())
                .filter(state -> isOverFor(state, command))
                .isPresent();
        if (isRemote(command)) {
            Worker worker = remote.get(Math.floorMod(command.type().hashCode(), remote.size()));
            worker.handle(command, fate).ifPresent(outcome -> {
                commit(worker, outcome, isOver);
                pending.add(new ReplyItem(command.step(), command.attempt(), outcome.reply()));
            });
        } else {
            local.handle(command, fate)
                    .ifPresent(outcome -> inTransaction(() -> {
                        store.current().afterCommit(() -> commit(local, outcome, isOver));
                        node.onReply(command.attempt(), outcome.reply());
                    }));
        }
    }

    private void commit(Worker worker, Worker.Handled outcome, boolean isOver) {
        worker.commit(outcome);
        if (outcome.effect()) {
            StepCommand command = outcome.command();
            effects.add(
                    new Effect(command.processId(), command.step(), command.purpose() == Purpose.COMPENSATION, isOver));
        }
    }

    /** Whether a command must not take effect any more: its process has ended, and does not say that it does not know about it. */
    private static boolean isOverFor(ProcessState state, StepCommand command) {
        return state.status().isFinished()
                && !state.isBlocked()
                && state.executions().stream()
                        .filter(step -> step.label().equals(command.step()))
                        .noneMatch(step -> step.inDoubt() || step.status() == StepStatus.COMPENSATION_SKIPPED);
    }

    /** The next decision is made and lost: the process dies before the commit. */
    public void crashDuring(Runnable work) {
        crashes = true;
        try {
            work.run();
        } catch (Crash e) {
            // It comes again.
        } finally {
            crashes = false;
        }
    }

    /** Moves the clock to when something is due next, and does it; false when nothing will ever be. */
    public boolean letTimePass() {
        Optional<Instant> next = store.nextDueAt();
        next.ifPresent(at -> {
            if (at.isAfter(clock.instant())) {
                clock.advance(Duration.between(clock.instant(), at));
            }
            manager.runDue(100);
        });
        return next.isPresent();
    }

    /** Time passes, and the process dies before it commits what was due. */
    public void letTimePassInVain() {
        crashDuring(() -> inTransaction(this::letTimePass));
    }

    /** What was decided on a state that another node has changed meanwhile is decided again, as relays do. */
    private void inTransaction(Runnable work) {
        try {
            once(work);
        } catch (OutdatedException e) {
            once(work);
        }
    }

    private void once(Runnable work) {
        store.inTransaction(transaction -> {
            work.run();
            if (crashes) {
                throw new Crash();
            }
            return transaction;
        });
    }
}
