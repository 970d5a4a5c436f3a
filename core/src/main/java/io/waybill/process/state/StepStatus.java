package io.waybill.process.state;

/** Where one execution of a step is. */
public enum StepStatus {
    /** Begun: its command is on the way, or time is passing. */
    RUNNING,
    /** Failed, and waits to be tried again. */
    WAITING,
    COMPLETED,
    /** Failed for good; nothing of it was kept. */
    FAILED,
    /** No reply came in time: it may have been done. */
    IN_DOUBT,
    /** In doubt, and the worker that has its command is asked whether it was done, and to refuse it if it was not. */
    REFUSING,
    /** Given up before it had any effect, because the process is being compensated. */
    ABANDONED,
    /** Its compensation is on the way. */
    COMPENSATING,
    /** Its compensation failed, and waits to be tried again. */
    COMPENSATION_WAITING,
    COMPENSATED,
    /** Its compensation failed for the last time: an operator has to retry, skip or resolve it. */
    COMPENSATION_BLOCKED,
    /** An operator decided that it stays as it is, or has compensated it by hand. */
    COMPENSATION_SKIPPED;

    /** Whether a reply, a time or a signal is still expected. */
    public boolean isOpen() {
        return this == RUNNING
                || this == WAITING
                || this == REFUSING
                || this == COMPENSATING
                || this == COMPENSATION_WAITING;
    }

    /** Whether its compensation has begun, or was skipped. */
    public boolean hasCompensation() {
        return switch (this) {
            case COMPENSATING, COMPENSATION_WAITING, COMPENSATED, COMPENSATION_BLOCKED, COMPENSATION_SKIPPED -> true;
            default -> false;
        };
    }

    public boolean isCompensationOver() {
        return this == FAILED || this == ABANDONED || this == COMPENSATED || this == COMPENSATION_SKIPPED;
    }
}
