package io.waybill.spring;

import io.waybill.plain.Waybill;
import io.waybill.transport.SubscriptionOptions;

/** A method that handles the messages of a destination. */
record SubscriberMethod(String destination, String handler, Class<?> payload, String description, BeanCall call) {

    void subscribeTo(Waybill waybill) {
        waybill.subscribe(destination, handler, payload, call::handle);
    }

    void receive(Waybill waybill, String url, SubscriptionOptions options) {
        waybill.subscribe(url, options, payload, call::handle);
    }
}
