package io.waybill.message;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What messages made of this class are called, whatever the class is called: the class may be renamed or moved, and the name
 * stays what receivers know.
 *
 * <pre>{@code
 * @MessageType("OrderPlaced")
 * public record OrderPlaced(UUID orderId, BigDecimal total) {}
 *
 * outbox.append(Message.event(placed).to("orders.placed").inOrderOf(placed.orderId()));
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MessageType {
    String value();
}
