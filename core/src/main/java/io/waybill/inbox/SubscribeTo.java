package io.waybill.inbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that handles the messages of a destination, each once. Its only parameter is what payloads are read into, or
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
     * The name under which the handling is remembered; class and method when it is not given. Give one before the class or the method
     * is renamed, or messages that come again are handled again.
     */
    String handler() default "";
}
