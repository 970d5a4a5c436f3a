package io.waybill.spring;

import io.waybill.message.AppendTo;
import io.waybill.outbox.Outbox;
import io.waybill.spring.beans.FailingAppends;
import io.waybill.spring.beans.OnDataSource;
import io.waybill.spring.settings.SpringProblems;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;

/**
 * Appends application events with {@link AppendTo} to the outbox, in the transaction that publishes them: to that of the primary data
 * source, or of the one that {@link OnDataSource} on their class names.
 */
final class SpringOutgoingEvents implements GenericApplicationListener, SmartInitializingSingleton {

    private final ObjectProvider<Outbox> outbox;
    private final ObjectProvider<SpringInstances> instances;
    private final ApplicationContext context;
    private final SpringProblems problems;
    private volatile boolean unwrapped;

    SpringOutgoingEvents(
            ObjectProvider<Outbox> outbox,
            ObjectProvider<SpringInstances> instances,
            ApplicationContext context,
            SpringProblems problems) {
        this.outbox = outbox;
        this.instances = instances;
        this.context = context;
        this.problems = problems;
    }

    /** An event that is never appended. */
    private record Probe() {}

    /** Who publishes has to hear of it when an event cannot be appended, or the transaction commits without it: that is tried once. */
    @Override
    public void afterSingletonsInstantiated() {
        var multicaster = context.getBean(
                AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, ApplicationEventMulticaster.class);
        unwrapped = FailingAppends.unwrappedBy(multicaster);
        try {
            multicaster.multicastEvent(new PayloadApplicationEvent<>(context, new Probe()));
        } catch (ProbeException e) {
            return;
        }
        problems.refuse(
                multicaster.getClass().getName() + " (applicationEventMulticaster)",
                "it keeps exceptions of listeners to itself, or runs all of them in other threads. An event with @AppendTo that"
                        + " cannot be appended would be lost while its transaction commits. Let it throw in the publisher's thread, as"
                        + " SimpleApplicationEventMulticaster does.");
        problems.report();
    }

    /** Before listeners of the application: they need not hear of the probe. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
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
        if (payload instanceof Probe) {
            throw forPublisher(new ProbeException());
        }
        if (payload.getClass().isAnnotationPresent(AppendTo.class)) {
            append(payload);
        }
    }

    private void append(Object event) {
        try {
            of(event).publish(event);
        } catch (RuntimeException e) {
            throw forPublisher(e);
        }
    }

    private RuntimeException forPublisher(RuntimeException reason) {
        return unwrapped ? new FailingAppends.NotAppendedException(reason) : reason;
    }

    private Outbox of(Object event) {
        @Nullable OnDataSource chosen = event.getClass().getAnnotation(OnDataSource.class);
        return chosen == null
                ? outbox.getObject()
                : instances.getObject().named(chosen.value()).outbox();
    }

    /** What the probe is answered with. */
    private static final class ProbeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ProbeException() {
            super("An event that tries whether its publisher hears of exceptions.", null, false, false);
        }
    }
}
