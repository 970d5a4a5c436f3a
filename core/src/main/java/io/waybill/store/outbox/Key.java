package io.waybill.store.outbox;

import io.waybill.message.Envelope;

/** What messages are in order of: one partition key at one destination. */
public record Key(String destination, String partitionKey) {

    public static Key of(Envelope message) {
        return new Key(message.destination(), message.partitionKey());
    }
}
