package io.waybill.spring;

import io.waybill.runtime.Waybill;
import io.waybill.spring.beans.SpringSubscriberBeans;
import io.waybill.spring.settings.SpringProblems;
import io.waybill.spring.settings.SpringSettings;

/**
 * Waybill on one data source.
 *
 * @param name that of the bean of the data source
 */
public record SpringInstance(String name, SpringSettings settings, SpringSubscriberBeans subscribers, Waybill waybill) {

    /** Begins to send, to handle and to receive; what cannot be received is noted. */
    void start(SpringProblems problems) {
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
