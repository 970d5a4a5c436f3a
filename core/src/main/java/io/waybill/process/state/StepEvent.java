package io.waybill.process.state;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happened to one execution of a step. */
public sealed interface StepEvent extends ProcessEvent {

    /** The execution. */
    int number();

    /**
     * Begun: a step, a fork or one of its branches.
     *
     * @param input the element of a list that a branch is for, else empty
     */
    record StepStarted(
            int number,
            int parent,
            StepKind kind,
            String step,
            int position,
            @Nullable UUID commandId,
            @Nullable Instant dueAt,
            Map<String, Object> input)
            implements StepEvent {
        @Override
        public String text() {
            return kind.begun(step) + (dueAt == null ? "" : ", until " + dueAt);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.begin();
            Map<String, Object> seen = kind.hasBranches() ? state.dataIn(parent) : input;
            state.put(StepExecution.started(number, parent, kind, step, position, commandId, dueAt, seen, at));
        }
    }

    /** Its command was sent once more. */
    record StepRetried(
            int number, String step, int attempt, @Nullable Instant dueAt) implements StepEvent {
        @Override
        public String text() {
            return step + " was sent again, attempt " + attempt;
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.put(state.execution(number).retried(StepStatus.RUNNING, attempt, dueAt, at));
        }
    }

    /** Done; what it replied is from here on known to the process. */
    record StepCompleted(int number, String step, Map<String, Object> data) implements StepEvent {
        @Override
        public String text() {
            return step + " is done" + (data.isEmpty() ? "" : ", reply " + data);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.reopen();
            state.put(state.execution(number).completed(data, at));
            state.merge(number, data);
        }
    }

    /**
     * An attempt failed.
     *
     * @param retryAt when it is tried again; none means never
     * @param inDoubt whether it may have been done all the same
     */
    record StepFailed(
            int number,
            String step,
            int attempt,
            String error,
            @Nullable Instant retryAt,
            boolean inDoubt) implements StepEvent {
        @Override
        public String text() {
            return step + " failed" + (attempt > 1 ? ", attempt " + attempt : "") + ProcessEvent.because(error)
                    + (inDoubt ? "; it may have been done anyway" : "")
                    + (retryAt == null ? "" : "; it is tried again at " + retryAt);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            StepExecution before = state.execution(number);
            StepStatus next = retryAt != null
                    ? StepStatus.WAITING
                    : before.inDoubt() || inDoubt ? StepStatus.IN_DOUBT : StepStatus.FAILED;
            state.put(before.failed(next, error, retryAt, inDoubt, at));
        }
    }

    /** The worker that has the command of a step in doubt was asked whether it was done, and to refuse it if it was not. */
    record StepRefusalSent(int number, String step, UUID commandId, int attempt) implements StepEvent {
        @Override
        public String text() {
            return step + " is in doubt: its handler was asked whether it was done";
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.reopen();
            state.put(state.execution(number).refusing(commandId, attempt, at));
        }
    }

    /** A step in doubt was not done, and never will be. */
    record StepRefused(int number, String step) implements StepEvent {
        @Override
        public String text() {
            return step + " was not done, and is not done any more";
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.reopen();
            state.put(state.execution(number).refused(at));
        }
    }

    /** An operator does not want to wait for the next attempt. */
    record RetryRequested(int number, String step, String reason) implements StepEvent {
        @Override
        public String text() {
            return "an operator wants " + step + " retried now" + ProcessEvent.because(reason);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.put(state.execution(number).dueAt(at));
        }
    }

    /**
     * A signal came, for a step that waits or may wait for it later.
     *
     * @param key by which it is recognised when it comes again; empty when it is not
     */
    record SignalReceived(int number, String step, String key, Map<String, Object> data) implements StepEvent {
        @Override
        public String text() {
            return "the signal " + step + " came" + (data.isEmpty() ? "" : " with " + data);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            @Nullable UUID id = key.isEmpty() ? null : StepExecution.signalId(state.processId(), step, key);
            state.put(StepExecution.started(number, 0, StepKind.STORED_SIGNAL, step, 0, id, null, data, at));
        }
    }

    /** A step takes a signal that came before. */
    record SignalTaken(int number, String step) implements StepEvent {
        @Override
        public String text() {
            return "the signal " + step + " was taken";
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.put(state.execution(number).completed(Map.of(), at));
        }
    }
}
