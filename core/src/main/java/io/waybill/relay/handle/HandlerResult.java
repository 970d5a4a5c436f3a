package io.waybill.relay.handle;

import io.waybill.store.outbox.ClaimedMessage;

/** A message with which a handler is through. */
public record HandlerResult(ClaimedMessage message, Result result) {

    /** Whether that says anything about the message. */
    public boolean isSettled() {
        return !(result instanceof RolledBack || result instanceof Left);
    }

    /** How it ended. */
    sealed interface Result {}

    /** Committed, with everything the handler did. */
    public record Handled() implements Result {}

    /** The handler failed for the last time, and that was recorded: as a failed message, or as the reply of a command. */
    public record FailedForGood(int attempts, String error) implements Result {}

    /** The handler failed, and everything was rolled back. */
    public record Failed(String error, Throwable cause) implements Result {}

    /** Everything was rolled back, and it was not the handler's fault: the database is away. */
    public record RolledBack(String error) implements Result {}

    /** Nothing was done: the shard, or the message, has gone to somebody else, or this relay stops. */
    record Left() implements Result {}
}
