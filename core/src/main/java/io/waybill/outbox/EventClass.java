package io.waybill.outbox;

import io.waybill.WaybillException;
import io.waybill.message.AppendTo;
import io.waybill.message.Message;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How events of a class are published, as its {@link AppendTo} says. It is looked at once for each class. */
final class EventClass {

    private static final MethodType EVENT_TO_KEY = MethodType.methodType(Object.class, Object.class);

    private static final ClassValue<EventClass> CLASSES = new ClassValue<>() {
        @Override
        protected EventClass computeValue(Class<?> type) {
            return new EventClass(type, where(type));
        }
    };

    private final Class<?> type;
    private final AppendTo where;
    private final @Nullable MethodHandle key;

    private EventClass(Class<?> type, AppendTo where) {
        this.type = type;
        this.where = where;
        this.key = where.inOrderOf().isEmpty() ? null : accessor(type, where);
    }

    /** The event as a message. */
    static Message message(Object event) {
        return CLASSES.get(event.getClass()).messageOf(event);
    }

    private Message messageOf(Object event) {
        Message message = Message.event(event).to(where.value());
        return key == null ? message : message.inOrderOf(key(event, key));
    }

    private Object key(Object event, MethodHandle accessor) {
        @Nullable Object value;
        try {
            value = (Object) accessor.invokeExact(event);
        } catch (Throwable e) {
            throw new WaybillException(shown(type, where) + " gives no key: " + e, e);
        }
        if (value == null) {
            throw new WaybillException(shown(type, where) + " gives no key: it is null. Give every event its id, or"
                    + " leave inOrderOf out if these events need no order.");
        }
        return value;
    }

    private static AppendTo where(Class<?> type) {
        @Nullable AppendTo where = type.getAnnotation(AppendTo.class);
        if (where == null) {
            throw new WaybillException(type.getName()
                    + " does not say where its events go. Put @AppendTo(\"orders.placed\") on it, with the name of your"
                    + " destination, or append a message: Message.event(event).to(\"orders.placed\").");
        }
        return where;
    }

    /** Of a record or of a bean. */
    private static MethodHandle accessor(Class<?> type, AppendTo where) {
        String property = where.inOrderOf();
        String getter = "get" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
        Method method = Stream.of(property, getter)
                .flatMap(name -> method(type, name).stream())
                .findFirst()
                .orElseThrow(() -> new WaybillException(shown(type, where) + " gives no key: there is no public method "
                        + property + "() or " + getter + "()."));
        try {
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method).asType(EVENT_TO_KEY);
        } catch (IllegalAccessException | RuntimeException e) {
            throw new WaybillException(shown(type, where) + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static Optional<Method> method(Class<?> type, String name) {
        try {
            return Optional.of(type.getMethod(name));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
    }

    private static String shown(Class<?> type, AppendTo where) {
        return "@AppendTo(inOrderOf = \"" + where.inOrderOf() + "\") on " + type.getName();
    }
}
