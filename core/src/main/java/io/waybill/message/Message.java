package io.waybill.message;

import io.waybill.WaybillException;
import io.waybill.message.text.NameRules;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A message as an application writes it.
 *
 * <pre>{@code
 * Message.event("OrderPlaced", order).to("orders.placed").inOrderOf(order.id())
 * }</pre>
 *
 * <p>Immutable: every method gives a new message. What cannot be kept or sent is refused here, before any row is written.
 */
public final class Message {

    /** The header that says what the payload is. */
    public static final String CONTENT_TYPE = "content-type";

    private final Category category;
    private final String type;
    private final Object body;
    private final @Nullable UUID id;
    private final String destination;
    private final String key;
    private final String partitionKey;
    private final Duration delay;
    private final Map<String, String> headers;

    private Message(Draft draft) {
        this.category = draft.category;
        this.type = draft.type;
        this.body = draft.body;
        this.id = draft.id;
        this.destination = draft.destination;
        this.key = draft.key;
        this.partitionKey = draft.partitionKey;
        this.delay = draft.delay;
        this.headers = draft.headers;
    }

    /**
     * Something happened. The payload is JSON as a {@code String}, or bytes ({@link #as} says which), or an object for the
     * {@link PayloadCodec}.
     */
    public static Message event(String type, Object payload) {
        return of(Category.EVENT, type, payload);
    }

    /** Something happened; the payload's class has a {@link MessageType}. */
    public static Message event(Object payload) {
        return of(Category.EVENT, payload);
    }

    /** Something shall be done. */
    public static Message command(String type, Object payload) {
        return of(Category.COMMAND, type, payload);
    }

    /** Something shall be done; the payload's class has a {@link MessageType}. */
    public static Message command(Object payload) {
        return of(Category.COMMAND, payload);
    }

    /** The answer to a command. */
    public static Message reply(String type, Object payload) {
        return of(Category.REPLY, type, payload);
    }

    /** The answer to a command; the payload's class has a {@link MessageType}. */
    public static Message reply(Object payload) {
        return of(Category.REPLY, payload);
    }

    private static Message of(Category category, Object payload) {
        return of(category, MessageTypes.nameOf(given("payload", payload).getClass()), payload);
    }

    public static Message of(Category category, String type, Object payload) {
        return new Message(
                new Draft(category, NameRules.required("message type", given("message type", type)), payload));
    }

    /** Where it goes: the name of a topic, queue or endpoint, resolved by the routes of the relay. */
    public Message to(String destination) {
        return with(draft -> draft.destination = NameRules.required("destination", given("destination", destination)));
    }

    /**
     * Messages with the same destination and partition key leave in the order in which they were appended.
     *
     * @param partitionKey the id of the thing whose messages must keep their order: text, a number or a UUID
     */
    public Message inOrderOf(Object partitionKey) {
        return with(draft ->
                draft.partitionKey = NameRules.required("partition key", keyText("partition key", partitionKey)));
    }

    /** The key a broker keeps with the message (Kafka's record key); without it the partition key is used. */
    public Message key(Object key) {
        return with(draft -> draft.key = NameRules.required("message key", keyText("message key", key)));
    }

    public Message header(String name, String value) {
        return with(draft -> {
            draft.headers = new LinkedHashMap<>(headers);
            put(draft.headers, name, value);
        });
    }

    public Message headers(Map<String, String> more) {
        return with(draft -> {
            draft.headers = new LinkedHashMap<>(headers);
            given("headers", more).forEach((name, value) -> put(draft.headers, name, value));
        });
    }

    private static void put(Map<String, String> headers, String name, String value) {
        headers.put(
                NameRules.required("header name", given("header name", name)),
                NameRules.withoutNul("header '" + name + "'", given("header '" + name + "'", value)));
    }

    /** What the payload is, when it is not JSON: {@code text/plain}, {@code application/avro}. */
    public Message as(String contentType) {
        return header(CONTENT_TYPE, given("content type", contentType));
    }

    /** An id of the caller's own. Without it the outbox gives a UUID of version 7. */
    public Message id(UUID id) {
        return with(draft -> draft.id = given("message id", id));
    }

    /** Not before this much time has passed. A delayed message keeps no order with others of its key. */
    public Message after(Duration delay) {
        if (given("delay", delay).isNegative()) {
            throw new WaybillException("The delay " + delay + " is negative. Leave it out to send the message now.");
        }
        return with(draft -> draft.delay = delay);
    }

    public String destination() {
        return destination;
    }

    public String partitionKey() {
        return partitionKey;
    }

    public Duration delay() {
        return delay;
    }

    /** The encoded message, checked as a whole; an object is written by the codec on the class path. */
    public Envelope seal(Supplier<UUID> ids) {
        return seal(ids, PayloadCodec.found());
    }

    /** The encoded message, checked as a whole; an object is written by this codec. */
    public Envelope seal(Supplier<UUID> ids, PayloadCodec codec) {
        if (destination.isEmpty()) {
            throw new WaybillException(
                    "The message '" + type + "' has no destination. Say where it goes: message.to(\"orders.placed\").");
        }
        Payload payload = payload(codec);
        return new Envelope(
                id == null ? ids.get() : id,
                category,
                type,
                destination,
                key,
                partitionKey,
                ContentTypes.checked(ContentTypes.of(headers, payload), payload),
                headers);
    }

    private Payload payload(PayloadCodec codec) {
        if (body instanceof String text) {
            return Payload.text(text);
        }
        if (body instanceof byte[] bytes) {
            return Payload.binary(bytes.clone());
        }
        return codec.encode(body);
    }

    private Message with(java.util.function.Consumer<Draft> change) {
        var draft = new Draft(category, type, body);
        draft.id = id;
        draft.destination = destination;
        draft.key = key;
        draft.partitionKey = partitionKey;
        draft.delay = delay;
        draft.headers = headers;
        change.accept(draft);
        return new Message(draft);
    }

    private static String keyText(String what, @Nullable Object key) {
        Object given = given(what, key);
        if (given instanceof CharSequence || given instanceof Number || given instanceof UUID) {
            return given.toString();
        }
        throw new WaybillException("The " + what + " is a " + given.getClass().getName()
                + ". Keys are text, numbers or UUIDs: pass the id of the thing, not the thing itself.");
    }

    private static <T> T given(String what, @Nullable T value) {
        if (value == null) {
            throw new WaybillException("The " + what + " is null. Pass a value, or leave the call out.");
        }
        return value;
    }

    @Override
    public String toString() {
        return category.label() + " " + type + " to " + (destination.isEmpty() ? "(nowhere yet)" : destination)
                + (partitionKey.isEmpty() ? "" : " in order of " + partitionKey);
    }

    private static final class Draft {
        final Category category;
        final String type;
        final Object body;

        @Nullable
        UUID id;

        String destination = "";
        String key = "";
        String partitionKey = "";
        Duration delay = Duration.ZERO;
        Map<String, String> headers = Map.of();

        Draft(Category category, String type, @Nullable Object body) {
            this.category = Objects.requireNonNull(category);
            this.type = type;
            this.body = given("payload of '" + type + "'", body);
        }
    }
}
