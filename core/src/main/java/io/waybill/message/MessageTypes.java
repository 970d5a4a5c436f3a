package io.waybill.message;

import static java.util.stream.Collectors.joining;

import io.waybill.WaybillException;
import io.waybill.message.text.NameRules;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which class a receiver reads each type of message into. It need not be the sender's: both agree on the name and on the JSON,
 * and each has a class of its own.
 *
 * <pre>{@code
 * var types = MessageTypes.of(OrderPlaced.class, OrderCancelled.class).with("CustomerMoved", NewAddress.class);
 * Object received = types.read(message, codec);
 * }</pre>
 *
 * <p>Immutable.
 */
public final class MessageTypes {

    private final Map<String, Class<?>> classes;

    private MessageTypes(Map<String, Class<?>> classes) {
        this.classes = classes;
    }

    /** Classes that say their own name with {@link MessageType}. */
    public static MessageTypes of(Class<?>... named) {
        var types = new MessageTypes(Map.of());
        for (Class<?> type : named) {
            types = types.with(nameOf(type), type);
        }
        return types;
    }

    /** One more name. A class may have several, such as the one its messages had before they were renamed. */
    public MessageTypes with(String name, Class<?> type) {
        var more = new TreeMap<>(classes);
        @Nullable Class<?> before = more.put(NameRules.required("message type", name), type);
        if (before != null && before != type) {
            throw new WaybillException("Messages of type '" + name + "' would be read as " + before.getName()
                    + " and as " + type.getName() + ". A type is read into one class: give one of them another name.");
        }
        return new MessageTypes(more);
    }

    public boolean knows(String name) {
        return classes.containsKey(name);
    }

    /** The class that messages of this type are read into. */
    public Class<?> classOf(String name) {
        @Nullable Class<?> type = classes.get(name);
        if (type == null) {
            throw new WaybillException("No class is registered for messages of type '" + name + "'. Known are "
                    + (classes.isEmpty() ? "none" : classes.keySet().stream().collect(joining("', '", "'", "'")))
                    + ". Register one: types.with(\"" + name + "\", SomeClass.class).");
        }
        return type;
    }

    /** The message as an object of the class that is registered for its type. */
    public Object read(Envelope message, PayloadCodec codec) {
        return codec.decode(message.payload(), classOf(message.type()));
    }

    /** What messages made of this class are called. */
    public static String nameOf(Class<?> type) {
        @Nullable MessageType name = type.getAnnotation(MessageType.class);
        if (name == null) {
            throw new WaybillException(type.getName()
                    + " does not say what its messages are called. Put @MessageType(\""
                    + type.getSimpleName() + "\") on it, or pass the name: Message.event(\"" + type.getSimpleName()
                    + "\", payload).");
        }
        return NameRules.required("message type of " + type.getName(), name.value());
    }
}
