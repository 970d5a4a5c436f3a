package io.waybill.micronaut;

import io.waybill.inbox.Received;
import io.waybill.micronaut.settings.MicronautSettings;
import io.waybill.runtime.Waybill;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/**
 * A method that handles the messages of a destination. Its bean is asked for with the first one.
 *
 * @param whole whether it takes the message with its headers, or the payload alone
 */
record SubscriberMethod(
        String destination, String handler, Class<?> payload, boolean whole, Supplier<Object> bean, Method method) {

    /** Takes what is appended on this database. */
    void subscribeTo(Waybill waybill) {
        waybill.subscribe(destination, handler, payload, this::handle);
    }

    /** Takes what comes from a broker. */
    void receive(Waybill waybill, String url, MicronautSettings settings) {
        waybill.subscribe(url, settings.brokers().subscription(url, destination, handler), payload, this::handle);
    }

    private void handle(Received<?> received) throws Exception {
        try {
            method.invoke(bean.get(), whole ? received : received.payload());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
