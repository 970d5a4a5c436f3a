package io.waybill.message;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The destination and partition key of events of this class, for {@code outbox.publish(event)}.
 *
 * <pre>{@code
 * @MessageType("OrderPlaced")
 * @AppendTo(value = "orders.placed", inOrderOf = "orderId")
 * public record OrderPlaced(String orderId) {}
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AppendTo {

    /** The destination. */
    String value();

    /** The property of the event whose events keep their order; none by default. */
    String inOrderOf() default "";
}
