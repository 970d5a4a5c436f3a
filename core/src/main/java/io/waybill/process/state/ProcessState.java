package io.waybill.process.state;

import io.waybill.WaybillException;
import io.waybill.process.graph.ProcessData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about a process: what its events, applied in order, have made of it.
 *
 * <p><i>Threads:</i> one at a time.
 */
public final class ProcessState {

    private final UUID processId;
    private final String processType;
    private final int version;
    private final String businessKey;
    private final ProcessData startData;
    private final Map<String, String> trace;
    private final Instant createdAt;
    private final TreeMap<Integer, StepExecution> executions = new TreeMap<>();
    private ProcessStatus status;
    private @Nullable ProcessStatus pausedFrom;
    private String reason;
    private ProcessData mainData;
    private @Nullable Instant deadline;
    private @Nullable ProcessParent parent;
    private int events;
    private Instant updatedAt;

    private ProcessState(ProcessHeader header) {
        processId = header.processId();
        processType = header.processType();
        version = header.version();
        businessKey = header.businessKey();
        startData = ProcessData.of(header.startData());
        trace = header.trace();
        createdAt = header.createdAt();
        status = header.status();
        pausedFrom = header.pausedFrom();
        reason = header.reason();
        mainData = startData;
        deadline = header.deadline();
        parent = header.parent();
        events = header.events();
        updatedAt = header.updatedAt();
    }

    private ProcessState(ProcessState other) {
        processId = other.processId;
        processType = other.processType;
        version = other.version;
        businessKey = other.businessKey;
        startData = other.startData;
        trace = other.trace;
        createdAt = other.createdAt;
        executions.putAll(other.executions);
        status = other.status;
        pausedFrom = other.pausedFrom;
        reason = other.reason;
        mainData = other.mainData;
        deadline = other.deadline;
        parent = other.parent;
        events = other.events;
        updatedAt = other.updatedAt;
    }

    /** A state as it was stored. */
    public static ProcessState restored(ProcessHeader header, Collection<StepExecution> executions) {
        var state = new ProcessState(header);
        executions.forEach(state::put);
        state.mainData = new StateView(state).dataIn(0);
        return state;
    }

    /** The state that a log leads to. */
    public static ProcessState replayed(UUID processId, List<LoggedEvent> log) {
        if (log.isEmpty() || !(log.get(0).event() instanceof ProcessEvent.ProcessStarted started)) {
            throw new WaybillException("The log of process " + processId + " does not begin with ProcessStarted.");
        }
        ProcessState state = begun(processId, started, log.get(0).at());
        log.forEach(entry -> state.apply(entry.event(), entry.at()));
        return state;
    }

    public static ProcessState begun(UUID processId, ProcessEvent.ProcessStarted started, Instant at) {
        return new ProcessState(new ProcessHeader(
                processId,
                started.processType(),
                started.version(),
                started.businessKey(),
                ProcessStatus.NEW,
                null,
                "",
                0,
                "",
                started.data(),
                started.data(),
                started.deadline(),
                started.parent(),
                started.trace(),
                0,
                at,
                at));
    }

    /** The same state, to be changed without changing this one. */
    public ProcessState copy() {
        return new ProcessState(this);
    }

    /** The row of the process. */
    public ProcessHeader header() {
        var view = new StateView(this);
        return new ProcessHeader(
                processId,
                processType,
                version,
                businessKey,
                status,
                pausedFrom,
                view.currentStep(),
                view.retries(),
                reason,
                view.data(),
                startData,
                deadline,
                parent,
                trace,
                events,
                createdAt,
                updatedAt);
    }

    /** The rows of its steps, in the order in which they began. */
    public Collection<StepExecution> executions() {
        return Collections.unmodifiableCollection(executions.values());
    }

    public StepExecution execution(int number) {
        StepExecution found = executions.get(number);
        if (found == null) {
            throw new WaybillException("Process " + processId + " has no execution " + number + ".");
        }
        return found;
    }

    /** What it has begun so far, as a picture for Mermaid. */
    public String toMermaid() {
        return new ProcessPicture(this).text();
    }

    public UUID processId() {
        return processId;
    }

    public ProcessStatus status() {
        return status;
    }

    public String processType() {
        return processType;
    }

    public int version() {
        return version;
    }

    public String businessKey() {
        return businessKey;
    }

    public String reason() {
        return reason;
    }

    @Nullable
    public Instant deadline() {
        return deadline;
    }

    @Nullable
    public ProcessParent parent() {
        return parent;
    }

    /** Headers with the context of the trace in which it was started; none where nothing is traced. */
    public Map<String, String> trace() {
        return trace;
    }

    public Instant updatedAt() {
        return updatedAt;
    }

    public int events() {
        return events;
    }

    @Nullable
    public ProcessStatus pausedFrom() {
        return pausedFrom;
    }

    public ProcessData mainData() {
        return mainData;
    }

    ProcessData startData() {
        return startData;
    }

    /** What a step in this branch sees; 0 is the process itself. */
    public ProcessData dataIn(int scope) {
        return scope == 0 ? mainData : new StateView(this).dataIn(scope);
    }

    public Optional<StepExecution> findByCommand(UUID commandId) {
        for (StepExecution step : executions.values()) {
            if (commandId.equals(step.commandId()) || commandId.equals(step.compensationCommandId())) {
                return Optional.of(step);
            }
        }
        return Optional.empty();
    }

    /** The commands that a handler may still complete. */
    public List<UUID> openCommands() {
        var open = new ArrayList<UUID>();
        for (StepExecution step : executions.values()) {
            boolean forward = step.status() == StepStatus.RUNNING || step.status() == StepStatus.WAITING;
            @Nullable UUID command = forward ? step.commandId() : step.compensationCommandId();
            if (step.kind() == StepKind.COMMAND && step.status().isOpen() && command != null) {
                open.add(command);
            }
        }
        return open;
    }

    public List<StepExecution> in(int scope) {
        var steps = new ArrayList<StepExecution>();
        for (StepExecution step : executions.values()) {
            if (step.parent() == scope && step.kind() != StepKind.STORED_SIGNAL) {
                steps.add(step);
            }
        }
        return steps;
    }

    /** Whether nothing but one step is under way. */
    public boolean waitsForOne() {
        return executions.values().stream()
                        .filter(step -> step.status().isOpen())
                        .count()
                == 1;
    }

    /** Whether compensation has come to something that it cannot compensate. */
    public boolean isBlocked() {
        return executions.values().stream().anyMatch(step -> step.status() == StepStatus.COMPENSATION_BLOCKED);
    }

    public int nextNumber() {
        return executions.isEmpty() ? 1 : executions.lastKey() + 1;
    }

    /** Later than every event so far, in the precision that every database keeps. */
    public Instant nextEventTime(Instant now) {
        Instant micros = now.truncatedTo(ChronoUnit.MICROS);
        return events == 0 || micros.isAfter(updatedAt) ? micros : updatedAt.plus(1, ChronoUnit.MICROS);
    }

    public void apply(ProcessEvent event, Instant at) {
        event.applyTo(this, at);
        events++;
        updatedAt = at;
    }

    // What events change

    public void put(StepExecution execution) {
        executions.put(execution.number(), execution);
    }

    void enter(ProcessStatus next) {
        status = next;
        pausedFrom = null;
        if (next != ProcessStatus.RUNNING) {
            deadline = null;
        }
    }

    void begin() {
        if (status == ProcessStatus.NEW) {
            status = ProcessStatus.RUNNING;
        }
    }

    /** A process that was blocked is moved again. */
    void reopen() {
        if (status == ProcessStatus.FAILED) {
            status = ProcessStatus.COMPENSATING;
        }
    }

    void because(String why) {
        reason = why;
    }

    public void pause() {
        pausedFrom = status;
        status = ProcessStatus.PAUSED;
    }

    public void resume() {
        status = pausedFrom == null ? ProcessStatus.RUNNING : pausedFrom;
        pausedFrom = null;
    }

    void compensateFor(ProcessParent requester) {
        parent = requester;
    }

    void merge(int number, Map<String, Object> data) {
        StepExecution execution = execution(number);
        if (execution.parent() == 0 && execution.kind() != StepKind.STORED_SIGNAL) {
            mainData = mainData.with(data);
        }
    }

    void giveUpWhatHasNoEffectYet(Instant at) {
        executions.replaceAll((number, step) -> {
            boolean waits = step.kind() == StepKind.DELAY || step.kind() == StepKind.SIGNAL;
            if (step.status() == StepStatus.WAITING) {
                return step.now(step.inDoubt() ? StepStatus.IN_DOUBT : StepStatus.ABANDONED, at);
            }
            return waits && step.status() == StepStatus.RUNNING ? step.now(StepStatus.ABANDONED, at) : step;
        });
    }

    /** What is on the way is given up; what is blocked, or being compensated, stays as it is. */
    void abandonEverything(List<String> inDoubt, Instant at) {
        executions.replaceAll((number, step) -> switch (step.status()) {
            case RUNNING, WAITING, REFUSING, IN_DOUBT ->
                inDoubt.contains(step.label())
                        ? step.failed(StepStatus.IN_DOUBT, step.error(), null, true, at)
                        : step.now(StepStatus.ABANDONED, at);
            case COMPENSATING, COMPENSATION_WAITING, COMPENSATION_BLOCKED ->
                step.now(StepStatus.COMPENSATION_SKIPPED, at);
            default -> step;
        });
    }
}
