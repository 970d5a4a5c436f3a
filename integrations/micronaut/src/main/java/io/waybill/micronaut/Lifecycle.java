package io.waybill.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import io.waybill.plain.Waybill;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;

/** Starts Waybill with the application, and stops it first: what is being handled still has all its beans. */
@Singleton
@Requires(beans = WaybillFactory.class)
final class Lifecycle {

    private final Provider<Waybill> waybill;
    private final HandlerBeans handlers;

    Lifecycle(Provider<Waybill> waybill, HandlerBeans handlers) {
        this.waybill = waybill;
        this.handlers = handlers;
    }

    @EventListener
    void started(StartupEvent event) {
        waybill.get();
        handlers.makeAll();
    }

    @EventListener
    void stopping(ShutdownEvent event) {
        waybill.get().close();
    }
}
