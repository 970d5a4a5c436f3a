package io.waybill.micronaut.health;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.opentelemetry.api.OpenTelemetry;
import io.waybill.micronaut.MicronautObserver;
import io.waybill.micronaut.WaybillBeans;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.telemetry.OpenTelemetryListener;
import jakarta.inject.Singleton;

/** Traces where there is OpenTelemetry: a bean, or the Java agent. */
@Singleton
@Requires(classes = {OpenTelemetry.class, OpenTelemetryListener.class})
@Requires(beans = WaybillBeans.class)
final class OpenTelemetryObserver implements MicronautObserver {

    private final BeanProvider<OpenTelemetry> telemetry;

    OpenTelemetryObserver(BeanProvider<OpenTelemetry> telemetry) {
        this.telemetry = telemetry;
    }

    @Override
    public void listenTo(String dataSource, WaybillBuilder builder) {
        telemetry
                .find(null)
                .map(OpenTelemetryListener::of)
                .or(OpenTelemetryListener::ofAgent)
                .ifPresent(tracing ->
                        builder.outboxListener(tracing).listener(tracing).inboxListener(tracing));
    }
}
