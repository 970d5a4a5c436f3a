package io.waybill.message;

import io.waybill.message.text.NameRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A message as it is stored and published.
 *
 * @param id stays the same however often the message is sent, so a receiver recognises a repetition
 * @param type the semantic name, independent of any class
 * @param key what a broker keeps as the message's key; may be empty
 * @param partitionKey messages of one destination and partition key keep their order; empty means no order
 */
public record Envelope(
        UUID id,
        Category category,
        String type,
        String destination,
        String key,
        String partitionKey,
        Payload payload,
        Map<String, String> headers) {

    public Envelope {
        Objects.requireNonNull(id, "id");
        headers = Map.copyOf(headers);
    }

    /** The same message with one more header. */
    public Envelope withHeader(String name, String value) {
        var more = new HashMap<>(headers);
        more.put(name, value);
        return new Envelope(id, category, type, destination, key, partitionKey, payload, more);
    }

    /** What the payload is: what its header says, else JSON for text and octets for bytes. */
    public String contentType() {
        return ContentTypes.of(headers, payload);
    }

    public boolean isJson() {
        return isJson(contentType());
    }

    /** Whether this content type is JSON, or a kind of it. */
    public static boolean isJson(String contentType) {
        return ContentTypes.saysJson(contentType);
    }

    public boolean isOrdered() {
        return !partitionKey.isEmpty();
    }

    /** The same message with another body, which must be what the message's content type says. */
    public Envelope withPayload(Payload changed) {
        return new Envelope(
                id,
                category,
                type,
                destination,
                key,
                partitionKey,
                ContentTypes.checked(ContentTypes.of(headers, changed), changed),
                headers);
    }

    /** The same message for another destination. */
    public Envelope withDestination(String changed) {
        return new Envelope(
                id, category, type, NameRules.required("destination", changed), key, partitionKey, payload, headers);
    }
}
