package io.waybill.process.state;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A process without its steps: a row.
 *
 * @param pausedFrom what it was when an operator paused it
 * @param reason why it failed or was cancelled, or empty
 * @param data what it knows as a whole
 * @param startData what it was started with
 * @param deadline when it is compensated if it is still running
 * @param trace headers with the context of the trace in which it was started; none where nothing is traced
 * @param events how many there are in its log
 */
public record ProcessHeader(
        UUID processId,
        String processType,
        int version,
        String businessKey,
        ProcessStatus status,
        @Nullable ProcessStatus pausedFrom,
        String currentStep,
        int retries,
        String reason,
        Map<String, Object> data,
        Map<String, Object> startData,
        @Nullable Instant deadline,
        @Nullable ProcessParent parent,
        Map<String, String> trace,
        int events,
        Instant createdAt,
        Instant updatedAt) {

    /** When something has to happen to the process if nothing else does; never while it is paused, or when it is finished. */
    public Optional<Instant> nextDue(Collection<StepExecution> executions) {
        if (status == ProcessStatus.PAUSED || status.isFinished()) {
            return Optional.empty();
        }
        @Nullable Instant next = deadline;
        for (StepExecution step : executions) {
            @Nullable Instant due = step.status().isOpen() ? step.dueAt() : null;
            next = due != null && (next == null || due.isBefore(next)) ? due : next;
        }
        return Optional.ofNullable(next);
    }

    /** Whether nothing but its status, its steps and its times differ from what was known before. */
    public boolean differsOnlyInProgress(ProcessHeader before) {
        return data == before.data
                && reason.equals(before.reason)
                && pausedFrom == before.pausedFrom
                && Objects.equals(deadline, before.deadline)
                && Objects.equals(parent, before.parent);
    }

    /** The part that everybody may see. */
    public ProcessInstance instance() {
        return new ProcessInstance(
                processId, processType, businessKey, status, currentStep, data, retries, createdAt, updatedAt);
    }
}
