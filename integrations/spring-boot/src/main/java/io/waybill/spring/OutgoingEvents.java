package io.waybill.spring;

import io.waybill.WaybillException;
import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** Appends application events with {@link AppendTo} to the outbox, in the transaction of whoever publishes them. */
final class OutgoingEvents implements GenericApplicationListener {

    private final ObjectProvider<Outbox> outbox;

    OutgoingEvents(ObjectProvider<Outbox> outbox) {
        this.outbox = outbox;
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        return PayloadApplicationEvent.class.isAssignableFrom(eventType.toClass());
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = ((PayloadApplicationEvent<?>) event).getPayload();
        @Nullable AppendTo annotation = AnnotationUtils.findAnnotation(payload.getClass(), AppendTo.class);
        if (annotation != null) {
            outbox.getObject().append(message(payload, annotation));
        }
    }

    private static Message message(Object payload, AppendTo annotation) {
        Message message = Message.event(payload).to(annotation.value());
        return annotation.inOrderOf().isEmpty() ? message : message.inOrderOf(key(payload, annotation.inOrderOf()));
    }

    /** Of a record or of a bean. */
    private static Object key(Object payload, String property) {
        @Nullable Method accessor = ReflectionUtils.findMethod(payload.getClass(), property);
        if (accessor == null) {
            accessor = ReflectionUtils.findMethod(payload.getClass(), "get" + StringUtils.capitalize(property));
        }
        @Nullable Object key = null;
        if (accessor != null) {
            ReflectionUtils.makeAccessible(accessor);
            key = ReflectionUtils.invokeMethod(accessor, payload);
        }
        if (key == null) {
            throw new WaybillException("@AppendTo(inOrderOf = \"" + property + "\") on "
                    + payload.getClass().getName() + " gives no key: "
                    + (accessor == null ? "there is no method " + property + "()." : "it is null."));
        }
        return key;
    }
}
