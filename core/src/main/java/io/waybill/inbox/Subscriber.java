package io.waybill.inbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.MessageType;
import io.waybill.message.MessageTypes;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.store.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * A handler with its name and the class of its payloads.
 *
 * <p><i>Threads:</i> as safe as the handler is.
 */
public final class Subscriber {

    private static final int MAX_NAME = 200;

    private final String name;
    private final Opener opener;

    private Subscriber(String name, Opener opener) {
        if (name.isBlank() || name.length() > MAX_NAME) {
            throw new WaybillException("A handler needs a name of at most " + MAX_NAME + " characters, not '" + name
                    + "': what it has handled is remembered under this name.");
        }
        this.name = name;
        this.opener = opener;
    }

    /**
     * A handler for messages of one kind.
     *
     * @param name under which the handling is remembered; give it once and never change it
     * @param type {@code String}, {@code byte[]} or {@link Payload} get the payload as it is, other classes are read by the codec;
     *     a class that says its name with {@link MessageType} takes only messages of that name
     */
    public static <T> Subscriber of(String name, Class<T> type, PayloadCodec codec, Handler<T> handler) {
        return new Subscriber(name, message -> {
            T payload = read(message, type, codec);
            return (transaction, outbox) -> handler.handle(new Received<>(payload, message, transaction, outbox));
        });
    }

    /** A handler for several kinds of messages; one that is not among them cannot be read. */
    public static Subscriber of(String name, MessageTypes types, PayloadCodec codec, Handler<Object> handler) {
        return new Subscriber(name, message -> {
            Object payload = types.read(message, codec);
            return (transaction, outbox) -> handler.handle(new Received<>(payload, message, transaction, outbox));
        });
    }

    /** A handler that takes the payload of every message as text. */
    public static Subscriber ofText(String name, Handler<String> handler) {
        return of(name, String.class, PayloadCodec.found(), handler);
    }

    public String name() {
        return name;
    }

    /** Reads the message, or throws because it cannot be read. */
    public Work open(Envelope message) {
        return opener.open(message);
    }

    /** What is left to do with a message that was read. */
    @FunctionalInterface
    public interface Work {
        void run(Transaction transaction, Outbox outbox) throws Exception;
    }

    @FunctionalInterface
    private interface Opener {
        Work open(Envelope message);
    }

    private static <T> T read(Envelope message, Class<T> type, PayloadCodec codec) {
        if (type == String.class) {
            return type.cast(message.payload().asText());
        }
        if (type == byte[].class) {
            return type.cast(message.payload().asBytes());
        }
        if (type == Payload.class) {
            return type.cast(message.payload());
        }
        @Nullable MessageType named = type.getAnnotation(MessageType.class);
        if (named != null && !message.type().isEmpty() && !message.type().equals(named.value())) {
            throw new WaybillException("This handler takes '" + named.value() + "' as " + type.getName()
                    + ", but the message is a '" + message.type()
                    + "'. Subscribe with MessageTypes to take several types from one source.");
        }
        return codec.decode(message.payload(), type);
    }
}
