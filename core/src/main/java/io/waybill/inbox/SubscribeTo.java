package io.waybill.inbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean that handles each message of a destination once. Its only parameter is the class of the payload, or
 * {@link Received} of it.
 *
 * <pre>{@code
 * @SubscribeTo("orders.placed")
 * public void send(OrderPlaced placed) { ... }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface SubscribeTo {

    /** The destination: appended on this database, or the topic or queue of a broker. */
    String value();

    /**
     * The name of the handler in the inbox; by default class and method. Set it before you rename either, or redelivered messages
     * are handled again.
     */
    String handler() default "";
}
