package io.waybill.process.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a step, of a fork or of a branch: a row.
 *
 * @param number counts the executions of a process, from 1
 * @param parent the branch it belongs to, and for a branch its fork; 0 is the process itself
 * @param step the step's name; for a fork its label, for a branch that of its fork
 * @param position which branch or element it is, else 0
 * @param attempt of the command, and once it is being compensated of the compensation
 * @param commandId what its command is called, through all attempts; of a signal, what it is recognised by
 * @param compensationCommandId the same of its compensation
 * @param dueAt when something has to happen if nothing else does: a retry, a timeout, the end of a delay
 * @param inDoubt whether an attempt had no reply in time, and it is not known yet whether it was done
 * @param input what a fork saw
 * @param reply what it replied
 * @param error why the last attempt failed
 */
public record StepExecution(
        int number,
        int parent,
        StepKind kind,
        String step,
        int position,
        StepStatus status,
        int attempt,
        @Nullable UUID commandId,
        @Nullable UUID compensationCommandId,
        @Nullable Instant dueAt,
        boolean inDoubt,
        Map<String, Object> input,
        Map<String, Object> reply,
        String error,
        Instant since) {

    static StepExecution started(
            int number,
            int parent,
            StepKind kind,
            String step,
            int position,
            @Nullable UUID commandId,
            @Nullable Instant dueAt,
            Map<String, Object> input,
            Instant now) {
        return new StepExecution(
                number,
                parent,
                kind,
                step,
                position,
                StepStatus.RUNNING,
                1,
                commandId,
                null,
                dueAt,
                false,
                input,
                Map.of(),
                "",
                now);
    }

    /** What a signal with a key is recognised by. */
    public static UUID signalId(UUID processId, String signal, String key) {
        return UUID.nameUUIDFromBytes((processId + ":" + signal + ":" + key).getBytes(UTF_8));
    }

    StepExecution completed(Map<String, Object> data, Instant now) {
        return with(StepStatus.COMPLETED, attempt, compensationCommandId, null, false, data, "", now);
    }

    StepExecution failed(StepStatus next, String why, @Nullable Instant due, boolean doubt, Instant now) {
        return with(next, attempt, compensationCommandId, due, inDoubt || doubt, reply, why, now);
    }

    public StepExecution retried(StepStatus next, int newAttempt, @Nullable Instant due, Instant now) {
        return with(next, newAttempt, compensationCommandId, due, inDoubt, reply, error, now);
    }

    StepExecution compensating(UUID compensationCommand, int newAttempt, @Nullable Instant due, Instant now) {
        return with(
                StepStatus.COMPENSATING,
                newAttempt,
                compensationCommand,
                due,
                inDoubt,
                reply,
                newAttempt == 1 ? "" : error,
                now);
    }

    StepExecution now(StepStatus next, Instant now) {
        return with(next, attempt, compensationCommandId, null, inDoubt, reply, error, now);
    }

    StepExecution refusing(UUID refusal, int newAttempt, Instant now) {
        return with(StepStatus.REFUSING, newAttempt, refusal, null, true, reply, error, now);
    }

    StepExecution refused(Instant now) {
        return with(StepStatus.FAILED, attempt, compensationCommandId, null, false, reply, error, now);
    }

    public StepExecution dueAt(@Nullable Instant due) {
        return with(status, attempt, compensationCommandId, due, inDoubt, reply, error, since);
    }

    /** The same execution, further on. */
    private StepExecution with(
            StepStatus next,
            int newAttempt,
            @Nullable UUID compensationCommand,
            @Nullable Instant due,
            boolean doubt,
            Map<String, Object> data,
            String why,
            Instant now) {
        return new StepExecution(
                number,
                parent,
                kind,
                step,
                position,
                next,
                newAttempt,
                commandId,
                compensationCommand,
                due,
                doubt,
                input,
                data,
                why,
                now);
    }

    /** The name with the element's number, where there is one: what keys and people call it. */
    public String label() {
        return kind == StepKind.COMMAND && position > 0 ? step + "#" + (position - 1) : step;
    }
}
