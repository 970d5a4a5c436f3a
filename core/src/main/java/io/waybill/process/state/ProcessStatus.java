package io.waybill.process.state;

/** Where a process is in its life. */
public enum ProcessStatus {
    /** Started; no step has been begun. */
    NEW,
    RUNNING,
    /** Every step is done. */
    SUCCEEDED,
    /** Something failed or was cancelled, and what was done is being compensated. */
    COMPENSATING,
    /** What was done has been compensated. */
    COMPENSATED,
    /** It failed and there was nothing to compensate; or compensation is blocked and waits for an operator. */
    FAILED,
    /** Held by an operator: replies are noted, and nothing new is begun. */
    PAUSED,
    /** Ended by an operator; what was done stays done. */
    CANCELLED;

    /** Whether it has come to an end. A process that is FAILED and blocked can still be moved by an operator. */
    public boolean isFinished() {
        return this == SUCCEEDED || this == COMPENSATED || this == FAILED || this == CANCELLED;
    }
}
