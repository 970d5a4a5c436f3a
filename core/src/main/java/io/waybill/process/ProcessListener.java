package io.waybill.process;

import io.waybill.process.state.ProcessStatus;

/**
 * Listens to the start, retries and end of processes. Every method does nothing unless you override it.
 *
 * <p><i>Threads:</i> called on the thread that committed, after the commit: be quick. Exceptions are logged and have no effect.
 */
public interface ProcessListener {

    /** Listens to nothing. */
    ProcessListener NONE = new ProcessListener() {};

    /** Notifies this one and then another. */
    default ProcessListener and(ProcessListener other) {
        return this == NONE ? other : new CompositeProcessListener(this, other);
    }

    /** A process of this type has started. */
    default void started(String processType) {}

    /** The command of a step, or of its compensation, was sent once more. */
    default void retried(String processType, String step, int attempt) {}

    /** A step has ended, or one of its attempts has failed. */
    default void stepEnded(String processType, String step, StepOutcome outcome) {}

    /** How a step ended. */
    enum StepOutcome {
        COMPLETED,
        FAILED,
        COMPENSATED
    }

    /** A process has ended; called again if an operator continues one whose compensation was blocked. */
    default void ended(String processType, ProcessStatus status) {}
}
