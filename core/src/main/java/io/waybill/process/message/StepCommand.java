package io.waybill.process.message;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command that a step sends.
 *
 * @param processId is also the correlation id of the reply
 * @param commandId the same through all attempts: a worker that has done it replies again with what it replied
 * @param attempt from 1; a worker refuses one that is older than it has seen
 * @param payload JSON
 * @param idempotencyKey process and step
 * @param partitionKey the same for a step and its compensation, so that a compensation follows its step and branches run at once
 * @param deadline when the process stops waiting for the reply
 * @param refuses the command of the step, if this one is to refuse it
 */
public record StepCommand(
        UUID processId,
        String step,
        String type,
        UUID commandId,
        int attempt,
        String payload,
        String idempotencyKey,
        String partitionKey,
        String businessKey,
        @Nullable Instant deadline,
        Purpose purpose,
        @Nullable UUID refuses) {

    /** What a command is for. */
    public enum Purpose {
        STEP,
        COMPENSATION,
        /** Asks the handler of a step in doubt whether it was done, and refuses it from then on if it was not. Runs no handler. */
        REFUSAL
    }
}
