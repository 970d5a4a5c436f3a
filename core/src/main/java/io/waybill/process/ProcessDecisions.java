package io.waybill.process;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StartRefusedException;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
import io.waybill.process.store.ProcessStore;
import io.waybill.relay.route.Continuation;
import io.waybill.store.Transaction;
import io.waybill.transport.wire.Headers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides about processes and writes what was decided: the process, the commands that it sends or gives up, and what it tells others, in one
 * transaction.
 *
 * <p><i>Threads:</i> safe; who decides about a process has its row locked, and its commands before it.
 */
final class ProcessDecisions {

    private final ProcessManagerParts parts;
    private final ProcessDataCodec codec;
    private final ProcessNotifier notifier;
    private final RecentProcesses recent;
    private final InlineSteps inlineSteps;

    ProcessDecisions(ProcessManagerParts parts, ProcessDataCodec codec) {
        this.parts = parts;
        this.codec = codec;
        this.notifier = new ProcessNotifier(parts.listener());
        this.recent = new RecentProcesses(parts.time());
        this.inlineSteps = new InlineSteps(parts, codec);
    }

    /** A process that is to begin. */
    record Start(UUID processId, String businessKey, Map<String, Object> data) {}

    /** Returns the processes that are there already, by the ids of those that are not started therefore. */
    Map<UUID, UUID> start(
            Transaction transaction, ProcessDefinition definition, List<Start> starts, @Nullable ProcessParent parent) {
        Instant now = now(transaction);
        Map<String, String> trace = parts.traces().begun(definition.type());
        List<Decision> decisions = starts.stream()
                .map(start -> parts.engine()
                        .start(definition, start.processId(), start.businessKey(), start.data(), parent, trace, now))
                .toList();
        return parts.store().insert(transaction, decisions, decision -> {
            send(transaction, decision);
            notifier.decided(transaction, decision);
            recent.decided(transaction, decision);
        });
    }

    /** Starts what an operator outside of the application wants; one of this type and business key that is there stays as it is. */
    void start(ProcessDefinition definition, ProcessMessage.StartProcess wanted) {
        Map<String, Object> data;
        try {
            ProcessManager.checkBusinessKey(wanted.processType(), wanted.businessKey());
            data = codec.normal(wanted.data());
        } catch (WaybillException e) {
            throw new StartRefusedException(e);
        }
        parts.transactions().inTransaction(transaction -> {
            var start = new Start(wanted.processId(), wanted.businessKey(), data);
            Map<UUID, UUID> existing = start(transaction, definition, List.of(start), null);
            if (existing.isEmpty()) {
                var asked = new ProcessInput.StartedByOperator(parts.ids().get(), wanted.by(), wanted.reason());
                handle(wanted.processId(), asked, Continuation.NONE);
            }
            return existing;
        });
    }

    /** The database's time, as timers go by it: the clock of this node may be wrong. */
    private Instant now(Transaction transaction) {
        return recent.now().orElseGet(() -> {
            Instant now = parts.store().now(transaction);
            recent.asked(now);
            return now;
        });
    }

    /**
     * Takes a reply. One for a process whose version this node does not have waits in the outbox for a node that has it; the process's log says so.
     *
     * @return false when there is no such process
     */
    boolean take(int attempt, CommandReply reply, Continuation continuation) {
        var input = new ProcessInput.Reply(attempt, codec.normal(reply));
        return parts.transactions().inTransaction(transaction -> {
            Optional<Boolean> taken = handle(reply.correlationId(), input, continuation);
            if (taken.isPresent() && !taken.get()) {
                parts.store()
                        .lock(transaction, reply.correlationId())
                        .ifPresent(locked -> hold(transaction, locked, input));
            }
            return taken.isPresent();
        });
    }

    private void hold(Transaction transaction, ProcessStore.Locked locked, ProcessInput.Reply input) {
        ProcessState state = locked.state();
        CommandReply reply = input.reply();
        String step =
                state.findByCommand(reply.commandId()).map(StepExecution::label).orElse("");
        String kind = reply.fold(done -> "Completed", failed -> "Failed", late -> "TimedOut");
        ProcessState after = state.copy();
        Instant at = after.nextEventTime(locked.now());
        var held = new ProcessEvent.ReplyHeld(step, kind, reply.commandId());
        after.apply(held, at);
        var message = new ProcessMessage.HeldReply(
                state.processId(), state.processType(), state.version(), input.attempt(), reply);
        var events = List.of(new LoggedEvent(after.events(), at, held));
        var decision = new Decision(Optional.of(state), after, events, List.of(), List.of(message), List.of());
        parts.store().save(transaction, decision);
        send(transaction, decision);
    }

    /** Whether this node could; nothing when there is no such process. */
    Optional<Boolean> handle(UUID processId, ProcessInput input, Continuation continuation) {
        return parts.transactions().inTransaction(transaction -> {
            Optional<ProcessStore.Locked> known =
                    input instanceof ProcessInput.Reply ? recent.take(processId) : Optional.empty();
            var commands = new KnownCommands(parts.commands(), transaction, codec);
            Optional<Decision> quick = known.flatMap(recently -> decide(recently, input, commands));
            // That nothing follows from a reply is believed only of the latest state.
            if (quick.isPresent() && !quick.get().isEmpty()) {
                write(transaction, quick.get(), known.get().now(), continuation);
                return Optional.of(true);
            }
            if (input.changesCommands()) {
                parts.store().read(transaction, processId).ifPresent(seen -> commands.lock(seen.openCommands()));
            }
            return parts.store().lock(transaction, processId).map(locked -> {
                recent.asked(locked.now());
                Optional<Decision> decision = decide(locked, input, commands);
                decision.ifPresent(decided -> write(transaction, decided, locked.now(), continuation));
                return decision.isPresent();
            });
        });
    }

    /** Nothing when this node cannot go on with the process. */
    private Optional<Decision> decide(ProcessStore.Locked locked, ProcessInput input, KnownCommands commands) {
        ProcessState state = locked.state();
        return parts.definitions()
                .find(state.processType(), state.version())
                .filter(definition -> definition.canContinue(state))
                .map(definition -> decide(definition, locked, input, commands));
    }

    private void write(Transaction transaction, Decision decided, Instant now, Continuation continuation) {
        Decision decision = inlineSteps.from(transaction, decided, now, continuation);
        if (!decision.isEmpty()) {
            parts.store().save(transaction, decision);
        }
        send(transaction, decision);
        notifier.decided(transaction, decision);
        recent.decided(transaction, decision);
    }

    /** Requests of operators are asynchronous: a failure is written to the process log instead of thrown. */
    private Decision decide(
            ProcessDefinition definition, ProcessStore.Locked locked, ProcessInput input, KnownCommands commands) {
        try {
            return parts.engine().decide(definition, locked.state(), input, locked.now(), commands);
        } catch (WaybillException e) {
            if (input instanceof ProcessInput.Asked asked) {
                var refused = new ProcessInput.Refused(asked.request(), String.valueOf(e.getMessage()));
                return parts.engine().decide(definition, locked.state(), refused, locked.now(), commands);
            }
            throw e;
        }
    }

    private void send(Transaction transaction, Decision decision) {
        if (!decision.ended().isEmpty()) {
            parts.commands().end(transaction, decision.ended());
        }
        if (!decision.commands().isEmpty()) {
            parts.commands().send(transaction, decision.commands(), trace(decision.after()));
        }
        if (!decision.messages().isEmpty()) {
            parts.commands().sendMessages(transaction, decision.messages(), trace(decision.after()));
        }
    }

    /** A timer, an operator or a signal is not part of the process's trace: then its messages name the context in which it was started. */
    private Map<String, String> trace(ProcessState process) {
        Map<String, String> current = parts.traces().context();
        boolean continues = process.trace().containsKey(Headers.TRACEPARENT)
                ? Headers.isSameTrace(process.trace(), current)
                : !current.isEmpty(); // Written in a form that cannot be compared, such as B3.
        return continues ? Map.of() : process.trace();
    }
}
