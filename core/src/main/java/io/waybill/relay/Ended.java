package io.waybill.relay;

import io.waybill.store.ClaimedMessage;

/** A message with which a handler is through. */
record Ended(ClaimedMessage message, Result result) {

    /** Whether that says anything about the message. */
    boolean isSettled() {
        return !(result instanceof Undone || result instanceof Left);
    }

    /** How it ended. */
    sealed interface Result {}

    /** Committed, with everything the handler did. */
    record Handled() implements Result {}

    /** The handler failed for the last time, and the message was put aside. */
    record PutAside(int attempts, String error) implements Result {}

    /** The handler failed, and everything was undone. */
    record Failed(String error, Throwable cause) implements Result {}

    /** Everything was undone, and it was not the handler's fault: the database is away. */
    record Undone(String error) implements Result {}

    /** Nothing was done: the shard, or the message, has gone to somebody else, or this relay stops. */
    record Left() implements Result {}
}
