package io.waybill.jdbc;

import io.waybill.message.Envelope;
import io.waybill.message.Payload;

/** A message from elsewhere made to fit the columns: whatever a stranger sends, it can be kept. */
final class Storable {

    private static final int LONGEST_NAME = 255;
    private static final char REPLACEMENT = '\uFFFD';

    private Storable() {}

    static Envelope of(Envelope message) {
        return new Envelope(
                message.id(),
                message.category(),
                name(message.type()),
                name(message.destination()),
                name(message.key()),
                name(message.partitionKey()),
                payload(message.payload()),
                message.headers());
    }

    /** PostgreSQL has no U+0000 in text, and columns end somewhere. */
    static String name(String value) {
        String text = text(value);
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME);
    }

    static String text(String value) {
        return value.replace('\0', REPLACEMENT);
    }

    private static Payload payload(Payload payload) {
        return payload.isText() && payload.asText().indexOf('\0') >= 0 ? Payload.binary(payload.asBytes()) : payload;
    }
}
