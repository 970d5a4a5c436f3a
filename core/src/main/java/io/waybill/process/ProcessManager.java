package io.waybill.process;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.command.ReplyListener;
import io.waybill.relay.Continuation;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs processes: starts them, takes the answers of their steps, lets time pass, and does what operators want.
 *
 * <p>Each call is one transaction with at most one process in it: the caller's where there is one, else its own.
 *
 * <p><i>Threads:</i> safe, on any number of nodes; who decides about a process has its row locked.
 */
public final class ProcessManager implements ReplyListener {

    private static final Logger log = LoggerFactory.getLogger(ProcessManager.class);

    private final ProcessManagerParts parts;
    private final Answers answers;
    private final DueProcesses due;
    private final Telling telling;
    private final RecentProcesses recent;
    private final InlineSteps inlineSteps;

    public ProcessManager(ProcessManagerParts parts) {
        this.parts = parts;
        this.answers = new Answers(parts.codec(), parts.maxAnswer());
        this.due = new DueProcesses(parts.store());
        this.telling = new Telling(parts.listener());
        this.recent = new RecentProcesses(parts.time());
        this.inlineSteps = new InlineSteps(parts, answers);
    }

    /**
     * Starts a process of the latest version, in the caller's transaction if there is one. A second start of the same type about the same
     * key finds the first.
     *
     * @return its id
     */
    public UUID startProcess(String processType, String businessKey, Map<String, Object> data) {
        ProcessDefinition definition = parts.definitions().latest(processType);
        if (businessKey.isBlank() || businessKey.length() > 255 || businessKey.indexOf('\0') >= 0) {
            throw new WaybillException("A " + processType + " needs a business key of 1 to 255 characters, U+0000 not"
                    + " among them, that says what it is about, such as the id of the payment, but got '" + businessKey
                    + "'.");
        }
        Map<String, Object> normal = answers.normal(data);
        return parts.transactions()
                .inTransaction(transaction -> parts.store()
                        .find(transaction, processType, businessKey)
                        .orElseGet(
                                () -> start(transaction, definition, parts.ids().get(), businessKey, normal, null)));
    }

    /**
     * A command was answered, in the transaction that ends it where there is one.
     *
     * @param attempt the one that is answered
     * @return not mine when no process sent the command; elsewhere when this node does not know the process's definition
     */
    @Override
    public Receipt onReply(int attempt, CommandReply reply, Continuation continuation) {
        boolean sentByAProcess = !reply.correlationId().equals(reply.commandId());
        Optional<Boolean> continued = sentByAProcess
                ? handle(reply.correlationId(), new ProcessInput.Reply(attempt, answers.normal(reply)), continuation)
                : Optional.empty();
        return continued.map(here -> here ? Receipt.TAKEN : Receipt.ELSEWHERE).orElse(Receipt.NOT_MINE);
    }

    /** The same, where what follows is sent. */
    public Receipt onReply(int attempt, CommandReply reply) {
        return onReply(attempt, reply, Continuation.NONE);
    }

    /** A process tells another something. */
    public boolean onMessage(ProcessMessage message) {
        if (message instanceof ProcessMessage.ChildAnswered answered) {
            return onReply(1, answered.reply()) != Receipt.ELSEWHERE;
        }
        if (message instanceof ProcessMessage.UndoChild undo) {
            return handle(undo.processId(), new ProcessInput.Undo(undo.parent()))
                    .orElse(false);
        }
        if (message instanceof ProcessMessage.Operate operate) {
            return onRequest(operate);
        }
        var child = (ProcessMessage.StartChild) message;
        ProcessDefinition definition = parts.definitions().latest(child.processType());
        String businessKey = child.processId().toString();
        parts.transactions()
                .inTransaction(transaction -> start(
                        transaction,
                        definition,
                        child.processId(),
                        businessKey,
                        answers.normal(child.data()),
                        child.parent()));
        return true;
    }

    private boolean onRequest(ProcessMessage.Operate operate) {
        Optional<Boolean> handled = handle(operate.processId(), new ProcessInput.Asked(operate.request()));
        if (handled.isEmpty()) {
            log.info(
                    "WB-404 {} was asked of process {}, which is not there any more.",
                    operate.request().what(),
                    operate.processId());
        }
        return handled.orElse(true);
    }

    /** Tells a process something that a step waits for, or will wait for. */
    public void signal(UUID processId, String signal, Map<String, Object> data) {
        operate(processId, new ProcessInput.Signal(signal, answers.normal(data)));
    }

    /** The same, for whom knows what the process is about and not its id. */
    public void signal(String processType, String businessKey, String signal, Map<String, Object> data) {
        UUID processId = parts.transactions()
                .inTransaction(transaction -> parts.store().find(transaction, processType, businessKey))
                .orElseThrow(() -> new WaybillException("There is no " + processType + " about '" + businessKey
                        + "', so that nobody waits for the signal '" + signal + "'."));
        signal(processId, signal, data);
    }

    /** Lets time pass: does what is due for at most so many processes, and says for how many. */
    public int runDue(int limit) {
        Instant now = parts.time().clock().instant();
        int done = 0;
        for (UUID processId : due.next(limit, now)) {
            if (isDone(processId)) {
                done++;
            } else {
                due.passOver(processId, now);
            }
        }
        return done;
    }

    private boolean isDone(UUID processId) {
        try {
            return handle(processId, new ProcessInput.Due()).orElse(false);
        } catch (RuntimeException e) {
            log.warn(
                    "WB-402 What is due for process {} could not be done, and is tried again: {}",
                    processId,
                    e.toString());
            log.debug("WB-402", e);
            return false;
        }
    }

    /** Answers are noted, and nothing new is begun. */
    public void pause(UUID processId, String reason) {
        operate(processId, new ProcessInput.Pause(reason));
    }

    public void resume(UUID processId, String reason) {
        operate(processId, new ProcessInput.Resume(reason));
    }

    /** Ends it, and undoes what was done. */
    public void cancel(UUID processId, String reason) {
        operate(processId, new ProcessInput.Cancel(reason, true));
    }

    /** Ends it at once, and what was done stays done. */
    public void cancelWithoutCompensation(UUID processId, String reason) {
        operate(processId, new ProcessInput.Cancel(reason, false));
    }

    /** Tries a step, or its compensation, again at once. */
    public void retry(UUID processId, String step, String reason) {
        operate(processId, new ProcessInput.RetryNow(step, reason));
    }

    /** The step stays as it is: its compensation is not tried any more. */
    public void skip(UUID processId, String step, String reason) {
        operate(processId, new ProcessInput.Skip(step, false, reason));
    }

    /** The step has been undone by hand. */
    public void resolve(UUID processId, String step, String reason) {
        operate(processId, new ProcessInput.Skip(step, true, reason));
    }

    /** What the process waits for, since when, and what happens next; in words. */
    public String explain(UUID processId) {
        ProcessState state = parts.store().read(processId).orElseThrow(() -> unknown(processId));
        return new Explanation(parts.definitions().find(state.processType(), state.version()), state).text();
    }

    public List<ProcessInstance> search(ProcessQuery query) {
        return parts.store().search(query);
    }

    /** Processes that wait for nothing and are not finished. There are none, or something is broken. */
    public List<UUID> stuck(int limit) {
        return parts.store().stuck(limit);
    }

    /** Compares the instances in flight with the definitions of this node, and warns of what is held. */
    public List<VersionReport> checkVersions() {
        List<VersionReport> reports =
                new VersionCheck(parts.definitions()).compare(parts.store().inFlight());
        reports.stream()
                .filter(report -> report.verdict() != VersionReport.Verdict.COMPATIBLE)
                .forEach(report -> log.warn(
                        "WB-401 {} version {}: {} in flight, {}. {}",
                        report.processType(),
                        report.version(),
                        report.processes(),
                        report.verdict(),
                        report.advice()));
        return reports;
    }

    /**
     * Says which commands of the definitions have neither a handler here nor a way to one: then another node on this database must have
     * it, or a process waits there for good.
     */
    public Set<String> checkHandlers(Predicate<String> hasHandlerOrRoute) {
        Set<String> unhandled = parts.definitions().unhandled(hasHandlerOrRoute);
        if (!unhandled.isEmpty()) {
            log.info(
                    "WB-405 Commands without a handler in this process, and without a route to one: {}. Another node"
                            + " on this database must have it.",
                    String.join(", ", unhandled));
        }
        return unhandled;
    }

    /** Removes processes that have been finished for this long. */
    public int removeFinished(Duration retention, int limit) {
        return parts.store().removeFinished(retention, limit);
    }

    private UUID start(
            Transaction transaction,
            ProcessDefinition definition,
            UUID processId,
            String businessKey,
            Map<String, Object> data,
            @Nullable ProcessParent parent) {
        Decision decision = parts.engine()
                .start(
                        definition,
                        processId,
                        businessKey,
                        data,
                        parent,
                        parts.time().clock().instant());
        Optional<UUID> existing = parts.store().insert(transaction, decision);
        if (existing.isPresent()) {
            return existing.get();
        }
        send(transaction, decision);
        telling.decided(transaction, decision);
        recent.decided(transaction, decision);
        return processId;
    }

    private void operate(UUID processId, ProcessInput input) {
        if (!handle(processId, input).orElseThrow(() -> unknown(processId))) {
            throw new WaybillException("This node cannot change process " + processId
                    + ": it does not have the version of its definition, or the definition lost a step that it stands"
                    + " on. checkVersions() says which.");
        }
    }

    private Optional<Boolean> handle(UUID processId, ProcessInput input) {
        return handle(processId, input, Continuation.NONE);
    }

    /** Whether this node could; nothing when there is no such process. */
    private Optional<Boolean> handle(UUID processId, ProcessInput input, Continuation continuation) {
        return parts.transactions().inTransaction(transaction -> {
            Optional<ProcessStore.Locked> known =
                    input instanceof ProcessInput.Reply ? recent.take(processId) : Optional.empty();
            Optional<Decision> quick = known.flatMap(recently -> decide(recently, input));
            // That nothing follows from an answer is believed only of the latest state.
            if (quick.isPresent() && !quick.get().isEmpty()) {
                write(transaction, quick.get(), known.get().now(), continuation);
                return Optional.of(true);
            }
            return parts.store().lock(transaction, processId).map(locked -> {
                recent.read(locked);
                Optional<Decision> decision = decide(locked, input);
                decision.ifPresent(decided -> write(transaction, decided, locked.now(), continuation));
                return decision.isPresent();
            });
        });
    }

    /** Nothing when this node cannot go on with the process. */
    private Optional<Decision> decide(ProcessStore.Locked locked, ProcessInput input) {
        ProcessState state = locked.state();
        return parts.definitions()
                .find(state.processType(), state.version())
                .filter(definition -> definition.canContinue(state))
                .map(definition -> decide(definition, locked, input));
    }

    private void write(Transaction transaction, Decision decided, Instant now, Continuation continuation) {
        Decision decision = inlineSteps.from(transaction, decided, now, continuation);
        if (!decision.isEmpty()) {
            parts.store().save(transaction, decision);
        }
        send(transaction, decision);
        telling.decided(transaction, decision);
        recent.decided(transaction, decision);
    }

    /** Who asks from outside has nobody to throw at: it is told by the log. */
    private Decision decide(ProcessDefinition definition, ProcessStore.Locked locked, ProcessInput input) {
        try {
            return parts.engine().decide(definition, locked.state(), input, locked.now());
        } catch (WaybillException e) {
            if (input instanceof ProcessInput.Asked asked) {
                var refused = new ProcessInput.Refused(asked.request(), String.valueOf(e.getMessage()));
                return parts.engine().decide(definition, locked.state(), refused, locked.now());
            }
            throw e;
        }
    }

    private void send(Transaction transaction, Decision decision) {
        if (!decision.commands().isEmpty()) {
            parts.commands().send(transaction, decision.commands());
        }
        if (!decision.messages().isEmpty()) {
            parts.commands().tell(transaction, decision.messages());
        }
    }

    private static WaybillException unknown(UUID processId) {
        return new WaybillException("There is no process " + processId
                + ". It was never started, was rolled back, or has been removed after it was finished.");
    }
}
