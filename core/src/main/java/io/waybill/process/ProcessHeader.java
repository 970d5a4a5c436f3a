package io.waybill.process;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process without its steps: a row.
 *
 * @param pausedFrom what it was when an operator paused it
 * @param reason why it failed or was cancelled, or empty
 * @param data what it knows as a whole
 * @param startData what it was started with
 * @param deadline when it is compensated if it is still running
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
        int events,
        Instant createdAt,
        Instant updatedAt) {

    /** When something has to happen to the process if nothing else does; never while it is paused, or when it is finished. */
    public Optional<Instant> nextDue(Collection<StepExecution> executions) {
        if (status == ProcessStatus.PAUSED || status.isFinished()) {
            return Optional.empty();
        }
        return Stream.concat(
                        Stream.ofNullable(deadline),
                        executions.stream()
                                .filter(step -> step.status().isOpen())
                                .flatMap(step -> Stream.ofNullable(step.dueAt())))
                .min(Comparator.naturalOrder());
    }

    /** The part that everybody may see. */
    public ProcessInstance instance() {
        return new ProcessInstance(
                processId, processType, businessKey, status, currentStep, data, retries, createdAt, updatedAt);
    }
}
