package io.waybill.spring;

import io.waybill.message.AppendTo;
import io.waybill.outbox.Outbox;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/**
 * Appends application events with {@link AppendTo} to the outbox, in the transaction of whoever publishes them: to that of the primary data
 * source, or of the one that {@link OnDataSource} on their class names.
 */
final class OutgoingEvents implements GenericApplicationListener {

    private final ObjectProvider<Outbox> outbox;
    private final ObjectProvider<Platforms> platforms;

    OutgoingEvents(ObjectProvider<Outbox> outbox, ObjectProvider<Platforms> platforms) {
        this.outbox = outbox;
        this.platforms = platforms;
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        return PayloadApplicationEvent.class.isAssignableFrom(eventType.toClass());
    }

    /** Another thread is outside of the publisher's transaction, whatever executor the application's events have. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = ((PayloadApplicationEvent<?>) event).getPayload();
        if (payload.getClass().isAnnotationPresent(AppendTo.class)) {
            of(payload).publish(payload);
        }
    }

    private Outbox of(Object event) {
        @Nullable OnDataSource chosen = event.getClass().getAnnotation(OnDataSource.class);
        return chosen == null
                ? outbox.getObject()
                : platforms.getObject().named(chosen.value()).outbox();
    }
}
