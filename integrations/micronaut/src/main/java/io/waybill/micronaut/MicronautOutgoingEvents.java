package io.waybill.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.waybill.message.AppendTo;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/**
 * Appends events of the application with {@link AppendTo} to the outbox, in the transaction that publishes them: to that of the
 * primary data source, or of the one that {@link OnDataSource} on their class names.
 */
@Singleton
@Requires(beans = WaybillBeans.class)
final class MicronautOutgoingEvents implements ApplicationEventListener<Object> {

    private final Provider<MicronautInstances> instances;

    MicronautOutgoingEvents(Provider<MicronautInstances> instances) {
        this.instances = instances;
    }

    @Override
    public boolean supports(Object event) {
        return event.getClass().isAnnotationPresent(AppendTo.class);
    }

    @Override
    public void onApplicationEvent(Object event) {
        @Nullable OnDataSource chosen = event.getClass().getAnnotation(OnDataSource.class);
        MicronautInstances all = instances.get();
        (chosen == null ? all.primary().waybill() : all.named(chosen.value()))
                .outbox()
                .publish(event);
    }
}
