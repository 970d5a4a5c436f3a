package io.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An application event that leaves the application too: when it is published ({@code ApplicationEventPublisher}), it is appended to the
 * outbox in the transaction of its publisher.
 *
 * <pre>{@code
 * @MessageType("OrderPlaced")
 * @AppendTo(value = "orders.placed", inOrderOf = "orderId")
 * public record OrderPlaced(String orderId) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AppendTo {

    /** The destination. */
    String value();

    /** The property of the event whose events keep their order; none by default. */
    String inOrderOf() default "";
}
