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
    private volatile boolean running;

    WaybillLifecycle(Waybill waybill, SubscriberBeans subscribers) {
        this.waybill = waybill;
        this.subscribers = subscribers;
    }

    @Override
    public void start() {
        waybill.start();
        subscribers.receive(waybill);
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
