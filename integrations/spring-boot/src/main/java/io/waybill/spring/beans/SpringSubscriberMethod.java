package io.waybill.spring.beans;

import io.waybill.runtime.Waybill;
import io.waybill.transport.SubscriptionOptions;
import java.util.Optional;

/**
 * A method that handles the messages of a destination.
 *
 * @param former the name that it may have been remembered under before: that of the subclass which Spring makes of a class of configuration
 */
record SpringSubscriberMethod(
        String destination,
        String handler,
        Optional<String> former,
        Class<?> payload,
        String description,
        BeanCall call) {

    SpringSubscriberMethod named(String name) {
        return new SpringSubscriberMethod(destination, name, Optional.empty(), payload, description, call);
    }

    void subscribeTo(Waybill waybill) {
        waybill.subscribe(destination, handler, payload, call::handle);
    }

    void receive(Waybill waybill, String url, SubscriptionOptions options) {
        waybill.subscribe(url, options, payload, call::handle);
    }
}
