package io.waybill.process.message;

import io.waybill.process.ProcessManager;
import io.waybill.process.state.ProcessEvent.OperatorAsked;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepStatus;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * What an operator outside of the application wants of a process.
 *
 * @param id by which the outcome is found in the log
 * @param subject the step, or the signal; empty for what is about the process as a whole
 * @param data what a signal brings
 * @param by who
 * @param key what makes two signals the same; empty when each counts
 */
public record ProcessRequest(
        UUID id, Verb verb, String subject, Map<String, Object> data, String by, String reason, String key) {

    /** What can be wanted: each is a method of {@link ProcessManager}. */
    public enum Verb {
        PAUSE,
        RESUME,
        CANCEL,
        CANCEL_WITHOUT_COMPENSATION,
        RETRY,
        SKIP,
        RESOLVE,
        SIGNAL;

        /** Whether it can be wanted of a step that is there now. */
        public boolean fits(StepExecution step) {
            boolean compensation = step.status() == StepStatus.COMPENSATION_WAITING
                    || step.status() == StepStatus.COMPENSATION_BLOCKED
                    || step.status() == StepStatus.REFUSING;
            return switch (this) {
                case RETRY -> compensation || step.status() == StepStatus.WAITING;
                case SKIP, RESOLVE -> compensation;
                default -> false;
            };
        }
    }

    public ProcessInput input() {
        return switch (verb) {
            case PAUSE -> new ProcessInput.Pause(reason);
            case RESUME -> new ProcessInput.Resume(reason);
            case CANCEL -> new ProcessInput.Cancel(reason, true);
            case CANCEL_WITHOUT_COMPENSATION -> new ProcessInput.Cancel(reason, false);
            case RETRY -> new ProcessInput.RetryNow(subject, reason);
            case SKIP -> new ProcessInput.Skip(subject, false, reason);
            case RESOLVE -> new ProcessInput.Skip(subject, true, reason);
            case SIGNAL -> new ProcessInput.Signal(subject, key, data);
        };
    }

    public OperatorAsked event(String refusal) {
        return new OperatorAsked(id, what(), by, reason, refusal);
    }

    /** In words: {@code retry BookFx}. */
    public String what() {
        String words = verb.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return subject.isEmpty() ? words : words + " " + subject;
    }
}
