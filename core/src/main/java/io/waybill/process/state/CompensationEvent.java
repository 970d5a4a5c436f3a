package io.waybill.process.state;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happened to the compensation of a step. */
public sealed interface CompensationEvent extends ProcessEvent {

    /** The execution that is compensated. */
    int number();

    /** Its compensation was sent. */
    record CompensationStepStarted(
            int number,
            String step,
            String compensation,
            UUID commandId,
            int attempt,
            @Nullable Instant dueAt) implements CompensationEvent {
        @Override
        public String text() {
            return compensation + " was sent to compensate " + step + (attempt > 1 ? ", attempt " + attempt : "");
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.reopen();
            state.put(state.execution(number).compensating(commandId, attempt, dueAt, at));
        }
    }

    /** The step is compensated. */
    record CompensationStepCompleted(int number, String step, String compensation) implements CompensationEvent {
        @Override
        public String text() {
            return step + " is compensated by " + compensation;
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.reopen();
            state.put(state.execution(number).now(StepStatus.COMPENSATED, at));
        }
    }

    /**
     * An attempt to compensate the step failed.
     *
     * @param retryAt when it is tried again; none means that it is blocked
     */
    record CompensationStepFailed(
            int number,
            String step,
            String compensation,
            int attempt,
            String error,
            @Nullable Instant retryAt) implements CompensationEvent {
        @Override
        public String text() {
            return compensation + " failed to compensate " + step + ProcessEvent.because(error)
                    + (retryAt == null
                            ? "; it is blocked until an operator acts"
                            : "; it is tried again at " + retryAt);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            StepStatus next = retryAt == null ? StepStatus.COMPENSATION_BLOCKED : StepStatus.COMPENSATION_WAITING;
            state.put(state.execution(number).failed(next, error, retryAt, false, at));
        }
    }

    /**
     * An operator decided that the step is not compensated by its command.
     *
     * @param resolved whether it was compensated by hand; else it stays as it is
     */
    record CompensationSkipped(int number, String step, boolean resolved, String reason) implements CompensationEvent {
        @Override
        public String text() {
            return resolved
                    ? step + " was compensated by hand" + ProcessEvent.because(reason)
                    : "an operator leaves " + step + " as it is" + ProcessEvent.because(reason);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.reopen();
            state.put(state.execution(number).now(StepStatus.COMPENSATION_SKIPPED, at));
        }
    }
}
