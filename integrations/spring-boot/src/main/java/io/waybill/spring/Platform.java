package io.waybill.spring;

import io.waybill.runtime.Waybill;

/**
 * Waybill on one data source.
 *
 * @param name that of the bean of the data source
 */
record Platform(String name, Settings settings, SubscriberBeans subscribers, Waybill waybill) {

    /** Begins to send, to handle and to receive; what cannot be received is noted. */
    void start(Problems problems) {
        problems.check(
                "waybill.messaging.consumers.commands-from and replies-from",
                settings.brokers().commandSources(),
                () -> {
                    waybill.start();
                    return true;
                },
                false);
        subscribers.receive(waybill);
    }
}
