package io.waybill.command.store;

/** How far a command is. */
public enum CommandStatus {
    /** Accepted. */
    PENDING,
    /** It takes more than one commit: it has gone to a broker, or was tried and will be tried again. */
    PROCESSING,
    COMPLETED,
    /** It failed, took too long, or must not run any more. */
    FAILED;

    public boolean isOver() {
        return this == COMPLETED || this == FAILED;
    }
}
