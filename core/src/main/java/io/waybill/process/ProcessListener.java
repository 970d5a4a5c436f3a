package io.waybill.process;

import io.waybill.observe.CompositeListener;
import io.waybill.process.state.ProcessStatus;

/**
 * Is told how processes go, once that is committed. Every method does nothing unless it is overridden.
 *
 * <p><i>Threads:</i> called on the thread that committed, after the commit: be quick. What it throws is logged and changes nothing.
 */
public interface ProcessListener {

    /** Listens to nothing. */
    ProcessListener NONE = new ProcessListener() {};

    /** Notifies this one and then another. */
    default ProcessListener and(ProcessListener other) {
        return this == NONE ? other : CompositeListener.of(ProcessListener.class, this, other);
    }

    /** A process of this type has begun. */
    default void started(String processType) {}

    /** The command of a step, or of its compensation, was sent once more. */
    default void retried(String processType, String step, int attempt) {}

    /** A process came to its end: again, when an operator has moved one that was blocked. */
    default void ended(String processType, ProcessStatus status) {}
}
