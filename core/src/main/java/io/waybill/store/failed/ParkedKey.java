package io.waybill.store.failed;

import io.waybill.message.Envelope;

/** A key of the messages that come from one source to one handler. */
public record ParkedKey(String source, String handler, String partitionKey) {

    /** The key of a message as it came from its source. */
    public static ParkedKey of(Envelope message, String handler) {
        return new ParkedKey(message.destination(), handler, message.partitionKey());
    }

    public static ParkedKey of(FailedMessage failed) {
        return of(failed.message(), failed.handler());
    }
}
