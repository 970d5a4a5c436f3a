package io.waybill.testkit.process;

import io.waybill.command.CommandReply;
import io.waybill.process.Commands;
import io.waybill.process.ProcessDefinitions;
import io.waybill.process.ProcessEngine;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.ProcessMessage;
import io.waybill.process.StepCommand;
import io.waybill.store.Transaction;
import io.waybill.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything around a process, in memory: what is on the way, who handles it, and a clock that is moved. */
final class World implements Commands {

    /** Something on the way. */
    sealed interface Item {}

    record CommandItem(StepCommand command) implements Item {}

    record ReplyItem(String step, int attempt, CommandReply reply) implements Item {}

    record MessageItem(ProcessMessage message) implements Item {}

    /** A process that dies before it commits. */
    static final class Crash extends RuntimeException {
        Crash() {
            super("simulated crash", null, false, false);
        }
    }

    final ManualClock clock = ManualClock.at(Instant.parse("2026-01-01T12:00:00Z"));
    final MemoryProcessStore store = new MemoryProcessStore(clock.time());
    final List<Item> pending = new ArrayList<>();
    final Worker worker;
    final ProcessManager manager;
    private boolean crashes;
    private long processes;

    World(ProcessDefinitions definitions, Handlers handlers, ProcessEngine engine) {
        this.worker = new Worker(handlers);
        this.manager = new ProcessManager(
                ProcessManagerParts.of(definitions, store, this, store, handlers.codec(), clock.time())
                        .with(engine)
                        .withIds(() -> new UUID(0x7000, ++processes)));
    }

    @Override
    public void send(Transaction transaction, List<StepCommand> commands) {
        commands.forEach(command -> transaction.afterCommit(() -> pending.add(new CommandItem(command))));
    }

    @Override
    public void tell(Transaction transaction, List<ProcessMessage> messages) {
        messages.forEach(message -> transaction.afterCommit(() -> pending.add(new MessageItem(message))));
    }

    /** Lets something arrive; a fate is what the command is answered with instead of being handled. */
    void deliver(Item item, @Nullable CommandReply fate) {
        if (item instanceof CommandItem command) {
            worker.handle(command.command(), fate)
                    .ifPresent(reply -> pending.add(new ReplyItem(
                            command.command().step(), command.command().attempt(), reply)));
        } else if (item instanceof ReplyItem reply) {
            inTransaction(() -> manager.onReply(reply.attempt(), reply.reply()));
        } else if (item instanceof MessageItem message) {
            inTransaction(() -> manager.onMessage(message.message()));
        }
    }

    /** The next decision is made and lost: the process dies before the commit. */
    void crashDuring(Runnable work) {
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
    boolean letTimePass() {
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
    void letTimePassInVain() {
        crashDuring(() -> inTransaction(this::letTimePass));
    }

    private void inTransaction(Runnable work) {
        store.inTransaction(transaction -> {
            work.run();
            if (crashes) {
                throw new Crash();
            }
            return transaction;
        });
    }
}
