package io.waybill.ops;

import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import org.jspecify.annotations.Nullable;

/**
 * What is changed about a message before it is replayed.
 *
 * @param payload null keeps the old one
 * @param destination null keeps the old one
 */
public record Edit(@Nullable Payload payload, @Nullable String destination) {

    /** Replays the message as it is. */
    public static final Edit NONE = new Edit(null, null);

    public Edit payload(Payload payload) {
        return new Edit(payload, destination);
    }

    public Edit payload(String text) {
        return payload(Payload.text(text));
    }

    public Edit destination(String destination) {
        return new Edit(payload, destination);
    }

    /** What is changed, in words. */
    String words() {
        String what = payload == null ? "" : "edited and ";
        return what + (destination == null ? "replayed" : "redirected to " + destination);
    }

    /** The message with these changes, checked as when it was appended. */
    Envelope appliedTo(Envelope envelope) {
        Envelope edited = payload == null ? envelope : envelope.withPayload(payload);
        return destination == null ? edited : edited.withDestination(destination);
    }
}
