package io.waybill.spring;

import io.waybill.plain.Waybill;
import org.springframework.context.SmartLifecycle;

/**
 * Starts to send and to handle when everything else has started, and stops before anything else does. Messages may be appended before and
 * after.
 */
final class WaybillLifecycle implements SmartLifecycle {

    private final Waybill waybill;
    private final SubscriberBeans subscribers;
    private final Brokers brokers;
    private final HandlerCheck handlers;
    private final Problems problems;
    private volatile boolean running;

    WaybillLifecycle(
            Waybill waybill, SubscriberBeans subscribers, Brokers brokers, HandlerCheck handlers, Problems problems) {
        this.waybill = waybill;
        this.subscribers = subscribers;
        this.brokers = brokers;
        this.handlers = handlers;
        this.problems = problems;
    }

    @Override
    public void start() {
        handlers.lookAtProxies();
        handlers.lookForHidden();
        problems.report();
        problems.check(
                "waybill.messaging.consumers.commands-from and replies-from",
                brokers.commandSources(),
                () -> {
                    waybill.start();
                    return true;
                },
                false);
        subscribers.receive(waybill);
        problems.report();
        running = true;
    }

    @Override
    public void stop() {
        waybill.stop();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
