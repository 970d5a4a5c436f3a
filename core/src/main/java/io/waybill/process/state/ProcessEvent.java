package io.waybill.process.state;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a process: an entry of its log. The state of a process is nothing but its events, applied in order.
 */
public sealed interface ProcessEvent permits ProcessEvent.Lifecycle, StepEvent, CompensationEvent {

    /** The step that it is about, or empty. */
    default String step() {
        return "";
    }

    /** What happened, as a sentence without its full stop. */
    String text();

    /** Changes the state to what it is after this event. */
    void applyTo(ProcessState state, Instant at);

    /** A reason behind what happened, if there is one. */
    static String because(String reason) {
        return reason.isBlank() ? "" : ": " + reason.strip().replaceFirst("\\.$", "");
    }

    /** What happened to the process as a whole. */
    sealed interface Lifecycle extends ProcessEvent {}

    /**
     * It exists from here on.
     *
     * @param trace headers with the context of the trace in which it was started
     */
    record ProcessStarted(
            String processType,
            int version,
            String businessKey,
            Map<String, Object> data,
            @Nullable Instant deadline,
            @Nullable ProcessParent parent,
            Map<String, String> trace)
            implements Lifecycle {
        @Override
        public String text() {
            return "the process was started"
                    + (parent == null ? "" : " as a step of the process " + parent.processId());
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {}
    }

    /** A condition was looked at. */
    record BranchChosen(String choice, boolean chosen) implements Lifecycle {
        @Override
        public String text() {
            return "the condition " + choice + " is " + (chosen ? "true" : "false");
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {}
    }

    /**
     * Branches replied with the same name and different values: the branch that is defined last counts.
     *
     * @param branches by their position, from 0
     */
    record ValuesDiffered(
            String name, List<Integer> branches, @Nullable Object kept) implements Lifecycle {
        @Override
        public String text() {
            return "branches replied with different values of " + name + "; the one of the last branch is kept";
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {}
    }

    /** Every step is done. */
    record ProcessCompleted(String message) implements Lifecycle {
        @Override
        public String text() {
            return "all steps are done" + ProcessEvent.because(message);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.enter(ProcessStatus.SUCCEEDED);
        }
    }

    /** What was done will be compensated. */
    record CompensationStarted(String reason) implements Lifecycle {
        @Override
        public String text() {
            return "compensation began" + ProcessEvent.because(reason);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.enter(ProcessStatus.COMPENSATING);
            state.because(reason);
            state.giveUpWhatHasNoEffectYet(at);
        }
    }

    /** What was done is compensated. */
    record ProcessCompensated(String message) implements Lifecycle {
        @Override
        public String text() {
            return "everything is compensated" + ProcessEvent.because(message);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.enter(ProcessStatus.COMPENSATED);
        }
    }

    /** It failed with nothing to compensate, or cannot be compensated without help. */
    record ProcessFailed(String reason) implements Lifecycle {
        @Override
        public String text() {
            return "the process failed" + ProcessEvent.because(reason);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.enter(ProcessStatus.FAILED);
        }
    }

    /** An operator holds it. */
    record ProcessPaused(String reason) implements Lifecycle {
        @Override
        public String text() {
            return "an operator paused the process" + ProcessEvent.because(reason);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.pause();
        }
    }

    /** An operator lets it go on. */
    record ProcessResumed(String reason) implements Lifecycle {
        @Override
        public String text() {
            return "an operator resumed the process" + ProcessEvent.because(reason);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.resume();
        }
    }

    /**
     * An operator ended it, and what was done stays done.
     *
     * @param inDoubt steps, and steps whose compensations, are with handlers on other databases and may still take effect
     */
    record ProcessCancelled(String reason, List<String> inDoubt) implements Lifecycle {
        @Override
        public String text() {
            return "an operator ended the process without compensation" + ProcessEvent.because(reason);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.enter(ProcessStatus.CANCELLED);
            state.because(reason);
            state.abandonEverything(inDoubt, at);
        }
    }

    /** A reply, a time or a signal that changes nothing any more. */
    record ReplyIgnored(String step, String what, String why) implements Lifecycle {
        @Override
        public String text() {
            return what + " changed nothing" + (step.isEmpty() ? "" : " at " + step) + ProcessEvent.because(why);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {}
    }

    /** A reply came to a node that does not have the version of the process, and waits in the outbox for one that has it. */
    record ReplyHeld(String step, String what, UUID commandId) implements Lifecycle {
        @Override
        public String text() {
            return what + " for " + step + " waits for an instance that has this version of the definition";
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {}
    }

    /**
     * An operator outside of the application wanted something; what it changed follows.
     *
     * @param requestId what the operator knows it by
     * @param what in words: {@code retry BookFx}
     * @param refusal why it was not done; empty when it was
     */
    record OperatorAsked(UUID requestId, String what, String by, String reason, String refusal) implements Lifecycle {
        @Override
        public String text() {
            return by + " asked: " + what + ProcessEvent.because(reason)
                    + (refusal.isEmpty() ? "" : "; refused: " + refusal);
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {}
    }

    /** The process that this one is a step of wants it compensated. */
    record CompensationRequested(ProcessParent parent) implements Lifecycle {
        @Override
        public String text() {
            return "the process " + parent.processId() + " wants it compensated";
        }

        @Override
        public void applyTo(ProcessState state, Instant at) {
            state.compensateFor(parent);
        }
    }
}
