package io.waybill.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.BeanInstantiationException;
import io.micronaut.runtime.event.annotation.EventListener;
import io.waybill.micronaut.settings.MicronautMisconfiguredException;
import io.waybill.micronaut.settings.MicronautProblems;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Starts Waybill when the application has started, and stops it first: what is being handled still has all its beans. */
@Singleton
@Requires(beans = WaybillBeans.class)
final class MicronautLifecycle {

    private final Provider<MicronautInstances> instances;
    private final HandlerBeans handlers;
    private final SubscriberBeans subscribers;
    private final HandlerCheck check;
    private volatile @Nullable MicronautInstances started;

    MicronautLifecycle(
            Provider<MicronautInstances> instances,
            HandlerBeans handlers,
            SubscriberBeans subscribers,
            HandlerCheck check) {
        this.instances = instances;
        this.handlers = handlers;
        this.subscribers = subscribers;
        this.check = check;
    }

    @EventListener
    void started(StartupEvent event) {
        MicronautInstances all = made();
        started = all;
        try {
            handlers.makeAll();
            subscribers.makeAll();
            var problems = new MicronautProblems();
            check.lookForHidden(problems);
            problems.report();
            all.start();
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    /** A wrong configuration is reported as it is, without the bean in which it was found. */
    private MicronautInstances made() {
        try {
            return instances.get();
        } catch (BeanInstantiationException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof MicronautMisconfiguredException misconfigured) {
                    throw misconfigured;
                }
            }
            throw e;
        }
    }

    @EventListener
    void stopping(ShutdownEvent event) {
        MicronautInstances all = started;
        if (all != null) {
            all.close();
        }
    }
}
