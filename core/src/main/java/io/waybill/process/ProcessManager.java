package io.waybill.process;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.command.IdempotencyKey;
import io.waybill.command.ReplyListener;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.engine.ChildReplies;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessState;
import io.waybill.process.store.ProcessQuery;
import io.waybill.process.store.ProcessStore;
import io.waybill.process.store.StuckProcess;
import io.waybill.process.version.VersionCheck;
import io.waybill.process.version.VersionReport;
import io.waybill.process.view.Explanation;
import io.waybill.relay.route.Continuation;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes, handles the replies of their steps, runs due timers, and executes operator requests.
 *
 * <p>Each call is one transaction with at most one process in it: the caller's if there is one, otherwise its own.
 *
 * <p><i>Threads:</i> safe, on any number of nodes; a decision about a process locks its row.
 */
public final class ProcessManager implements ReplyListener {

    private static final Logger log = LoggerFactory.getLogger(ProcessManager.class);

    /** So many are named at once. */
    private static final int MAX_STUCK = 100;

    private final ProcessManagerParts parts;
    private final ProcessDataCodec dataCodec;
    private final DueProcesses due;
    private final ProcessDecisions decisions;
    private final StuckCheck stuckCheck;

    public ProcessManager(ProcessManagerParts parts) {
        this.parts = parts;
        this.dataCodec = new ProcessDataCodec(parts.codec(), parts.maxReply());
        this.due = new DueProcesses(parts.store(), parts.definitions());
        this.decisions = new ProcessDecisions(parts, dataCodec);
        this.stuckCheck = new StuckCheck(() -> stuck(MAX_STUCK), parts.time().clock());
    }

    /**
     * Starts a process of the latest version, in the caller's transaction if there is one. A second start with the same type and
     * business key returns the first.
     *
     * @return its id
     */
    public UUID startProcess(String processType, String businessKey, Map<String, Object> data) {
        return Objects.requireNonNull(
                startAll(processType, Map.of(businessKey, data)).get(businessKey));
    }

    /**
     * Starts many processes of one type together, in the caller's transaction if there is one: all or none. This is much faster than
     * as many calls of {@link #startProcess}.
     *
     * @param starts the data of each process, by its business key
     * @return the ids by business key, including those of processes that existed already
     */
    public Map<String, UUID> startAll(String processType, Map<String, Map<String, Object>> starts) {
        ProcessDefinition definition = parts.definitions().latest(processType);
        // In one order, so that two callers with the same keys wait for each other and do not deadlock.
        var sorted = new TreeMap<>(starts);
        sorted.keySet().forEach(businessKey -> checkBusinessKey(processType, businessKey));
        List<ProcessDecisions.Start> all = sorted.entrySet().stream()
                .map(start -> new ProcessDecisions.Start(
                        parts.ids().get(), start.getKey(), dataCodec.normal(start.getValue())))
                .toList();
        Map<UUID, UUID> existing = parts.transactions().inTransaction(transaction -> {
            transaction.requireWritable("ProcessManager.startProcess");
            return decisions.start(transaction, definition, all, null);
        });
        Map<String, UUID> ids = new HashMap<>();
        all.forEach(start -> ids.put(start.businessKey(), existing.getOrDefault(start.processId(), start.processId())));
        return ids;
    }

    /** Refuses a business key that no process can have. */
    public static void checkBusinessKey(String processType, String businessKey) {
        if (businessKey.isBlank() || businessKey.length() > 255 || businessKey.indexOf('\0') >= 0) {
            throw new WaybillException("A " + processType + " needs a business key of 1 to 255 characters, U+0000 not"
                    + " among them, that says what it is about, such as the id of the payment, but got '" + businessKey
                    + "'.");
        }
    }

    /**
     * Handles the reply to a command, in the transaction that ends the command if there is one.
     *
     * @param attempt the attempt that the reply belongs to
     * @return not mine when no process sent the command
     */
    @Override
    public Receipt onReply(int attempt, CommandReply reply, Continuation continuation) {
        boolean sentByAProcess = !reply.correlationId().equals(reply.commandId());
        return sentByAProcess && decisions.take(attempt, reply, continuation) ? Receipt.TAKEN : Receipt.NOT_MINE;
    }

    /** The same, where what follows is sent. */
    public Receipt onReply(int attempt, CommandReply reply) {
        return onReply(attempt, reply, Continuation.NONE);
    }

    /** Handles a message between two processes. */
    public boolean onMessage(ProcessMessage message) {
        if (message instanceof ProcessMessage.ChildReplied replied) {
            return handle(replied.processId(), new ProcessInput.Reply(1, dataCodec.normal(replied.reply())))
                    .orElse(true);
        }
        if (message instanceof ProcessMessage.HeldReply held) {
            return handle(held.processId(), new ProcessInput.Reply(held.attempt(), dataCodec.normal(held.reply())))
                    .orElse(true);
        }
        if (message instanceof ProcessMessage.CompensateChild compensation) {
            return handle(compensation.processId(), new ProcessInput.Compensate(compensation.parent()))
                    .orElseGet(() -> hasNothingToCompensate(compensation));
        }
        if (message instanceof ProcessMessage.Operate operate) {
            return onRequest(operate);
        }
        if (message instanceof ProcessMessage.StartProcess start) {
            Optional<ProcessDefinition> definition =
                    parts.definitions().findForNew(start.processType(), start.version());
            definition.ifPresent(found -> decisions.start(found, start));
            return definition.isPresent();
        }
        return message instanceof ProcessMessage.CancelChild cancel
                ? handle(cancel.processId(), new ProcessInput.ParentCancelled(cancel.reason()))
                        .orElse(true)
                : startChild((ProcessMessage.StartChild) message);
    }

    /** A process that cannot be started has failed; its parent gets a reply. */
    private boolean startChild(ProcessMessage.StartChild child) {
        if (!parts.definitions().has(child.processType())) {
            return false;
        }
        ProcessDefinition definition = parts.definitions().latest(child.processType());
        parts.transactions().inTransaction(transaction -> {
            Map<String, Object> data;
            try {
                data = dataCodec.normal(child.data());
            } catch (WaybillException e) {
                send(transaction, ChildReplies.notStarted(child, String.valueOf(e.getMessage())));
                return false;
            }
            var start = new ProcessDecisions.Start(
                    child.processId(), child.processId().toString(), data);
            decisions.start(transaction, definition, List.of(start), child.parent());
            return true;
        });
        return true;
    }

    private void send(Transaction transaction, ProcessMessage message) {
        parts.commands().sendMessages(transaction, List.of(message), Map.of());
    }

    /** What was told it before has been heard: it could not be started, or was removed. */
    private boolean hasNothingToCompensate(ProcessMessage.CompensateChild compensation) {
        parts.transactions().inTransaction(transaction -> {
            send(transaction, ChildReplies.compensated(compensation));
            return compensation;
        });
        return true;
    }

    private boolean onRequest(ProcessMessage.Operate operate) {
        Optional<Boolean> handled = handle(operate.processId(), new ProcessInput.Asked(operate.request()));
        if (handled.isEmpty()) {
            log.info(
                    "WB-404 The request '{}' to process {} has no effect, because the process no longer exists.",
                    operate.request().what(),
                    operate.processId());
        }
        return handled.orElse(true);
    }

    /** Sends a signal that a step waits for, or will wait for. Each signal counts: two signals of one name satisfy two steps. */
    public void signal(UUID processId, String signal, Map<String, Object> data) {
        operate(processId, new ProcessInput.Signal(signal, "", dataCodec.normal(data)));
    }

    /** The same; a second signal of this name with the same key changes nothing. */
    public void signal(UUID processId, String signal, IdempotencyKey key, Map<String, Object> data) {
        operate(processId, new ProcessInput.Signal(signal, key.value(), dataCodec.normal(data)));
    }

    /** The same, by type and business key. */
    public void signal(String processType, String businessKey, String signal, Map<String, Object> data) {
        signal(idOf(processType, businessKey, signal), signal, data);
    }

    /** The same; a second signal of this name with the same key changes nothing. */
    public void signal(
            String processType, String businessKey, String signal, IdempotencyKey key, Map<String, Object> data) {
        signal(idOf(processType, businessKey, signal), signal, key, data);
    }

    private UUID idOf(String processType, String businessKey, String signal) {
        return parts.transactions()
                .inTransaction(transaction -> parts.store().find(transaction, processType, businessKey))
                .orElseThrow(() -> new WaybillException("There is no " + processType + " about '" + businessKey
                        + "', so no process waits for the signal '" + signal + "'."));
    }

    /** Runs due timers, timeouts and retries of at most so many processes, and returns how many. */
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
                    "WB-402 A due timer of process {} could not be processed and is retried: {}",
                    processId,
                    e.toString());
            log.debug("WB-402", e);
            return false;
        }
    }

    /** Pauses a process: replies are recorded, no step starts. */
    public void pause(UUID processId, String reason) {
        operate(processId, new ProcessInput.Pause(reason));
    }

    public void resume(UUID processId, String reason) {
        operate(processId, new ProcessInput.Resume(reason));
    }

    /** Cancels a process and compensates its completed steps. */
    public void cancel(UUID processId, String reason) {
        operate(processId, new ProcessInput.Cancel(reason, true));
    }

    /** Cancels a process now, without compensation. */
    public void cancelWithoutCompensation(UUID processId, String reason) {
        operate(processId, new ProcessInput.Cancel(reason, false));
    }

    /** Retries a step, or its compensation, now. */
    public void retry(UUID processId, String step, String reason) {
        operate(processId, new ProcessInput.RetryNow(step, reason));
    }

    /** Skips the compensation of a step: its effects stay. */
    public void skip(UUID processId, String step, String reason) {
        operate(processId, new ProcessInput.Skip(step, false, reason));
    }

    /** Marks a step as compensated by hand. */
    public void resolve(UUID processId, String step, String reason) {
        operate(processId, new ProcessInput.Skip(step, true, reason));
    }

    /** Explains what the process waits for, since when, and what happens next. */
    public String explain(UUID processId) {
        ProcessState state = parts.store().read(processId).orElseThrow(() -> unknown(processId));
        List<ProcessEvent> log = parts.store().findByProcessId(processId);
        return new Explanation(parts.definitions().find(state.processType(), state.version()), state, log).text();
    }

    /** The current state of a process: its status, its current step, and its data. */
    public Optional<ProcessInstance> find(UUID processId) {
        return parts.store().findById(processId);
    }

    /** The log of a process, oldest event first; empty if there is no such process. */
    public List<ProcessEvent> log(UUID processId) {
        return parts.store().findByProcessId(processId);
    }

    public List<ProcessInstance> search(ProcessQuery query) {
        return parts.store().search(query);
    }

    /** How many processes are not finished, by type and status; of each status no more than this are looked at. */
    public List<ProcessStore.Active> active(int most) {
        return parts.store().active(most);
    }

    /** Unfinished processes that wait for something that does not exist. There should be none. */
    public List<StuckProcess> stuck(int limit) {
        return parts.store().stuck(parts.commands().handledHere(), limit);
    }

    /** The last result of {@link #checkStuck}. */
    public List<StuckProcess> lastStuck() {
        return stuckCheck.found();
    }

    /** Looks for stuck processes, at most once a minute and with at most a hundredth of its time, and warns of each of them once. */
    public void checkStuck() {
        stuckCheck.run();
    }

    /** Compares the instances in flight with the definitions of this node, and warns of what is held. */
    public List<VersionReport> checkVersions() {
        List<VersionReport> reports =
                new VersionCheck(parts.definitions()).compare(parts.store().inFlight());
        reports.stream()
                .filter(report -> report.verdict() != VersionReport.Verdict.COMPATIBLE)
                .forEach(report -> log.warn(
                        "WB-401 {} processes in flight of {} version {} are held here ({}). {}",
                        report.processes(),
                        report.processType(),
                        report.version(),
                        report.verdict(),
                        report.advice()));
        return reports;
    }

    /**
     * Warns of commands of the definitions that have neither a handler nor a route here: another node on this database must handle
     * them, or their processes wait for good.
     */
    public Set<String> checkHandlers(Predicate<String> hasHandlerOrRoute) {
        Set<String> unhandled = parts.definitions().unhandled(hasHandlerOrRoute);
        if (!unhandled.isEmpty()) {
            log.warn(
                    "WB-405 Commands with neither a handler nor a route in this application: {}. Another instance on"
                            + " this database must handle them, or the processes that send them wait.",
                    String.join(", ", unhandled));
        }
        return unhandled;
    }

    /** Removes processes that have been finished for this long. */
    public int removeFinished(Duration retention, int limit) {
        return parts.store().removeFinished(retention, limit);
    }

    /** The type and version of a process, if it is there. */
    Optional<ProcessStore.Version> versionOf(UUID processId) {
        return parts.transactions()
                .inTransaction(transaction -> parts.store().read(transaction, processId))
                .map(state -> new ProcessStore.Version(state.processType(), state.version()));
    }

    ProcessDefinitions definitions() {
        return parts.definitions();
    }

    private void operate(UUID processId, ProcessInput input) {
        if (!handle(processId, input).orElseThrow(() -> unknown(processId))) {
            throw new WaybillException("This instance cannot change process " + processId
                    + ": it does not have the version of its definition, or the definition lost a step that it stands"
                    + " on. checkVersions() says which.");
        }
    }

    private Optional<Boolean> handle(UUID processId, ProcessInput input) {
        return decisions.handle(processId, input, Continuation.NONE);
    }

    private static WaybillException unknown(UUID processId) {
        return new WaybillException("There is no process " + processId
                + ". It was never started, was rolled back, or has been removed after it was finished.");
    }
}
