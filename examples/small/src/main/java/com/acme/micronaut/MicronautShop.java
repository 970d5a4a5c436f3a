package com.acme.micronaut;

import static io.waybill.command.IdempotencyKey.idempotencyKey;

import com.acme.examples.Wait;
import io.micronaut.context.ApplicationContext;
import io.waybill.command.CommandBus;
import io.waybill.runtime.Waybill;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A Micronaut application: a command is handled, and its message is heard. */
public final class MicronautShop {

    private static final Map<String, Object> DATABASE = Map.of(
            "datasources.default.url",
            "jdbc:h2:mem:micronaut;DB_CLOSE_DELAY=-1;INIT=CREATE TABLE IF NOT EXISTS orders (id VARCHAR(20)\\, customer VARCHAR(20))",
            "datasources.default.username",
            "sa",
            "datasources.default.password",
            "");

    public static void main(String[] args) {
        try (var context = ApplicationContext.run(DATABASE)) {
            var heard = new AtomicBoolean();
            context.getBean(Waybill.class).subscribe("orders.placed", "mails", Order.class, received -> {
                System.out.println("A mail to " + received.payload().customer());
                heard.set(true);
            });
            Order order = context.getBean(CommandBus.class)
                    .send(new CreateOrderCommand("o-1", "Ann"), idempotencyKey("request-1"))
                    .await(Duration.ofSeconds(5))
                    .as(Order.class);
            System.out.println("Created " + order.id());
            Wait.until("the message is heard", heard::get);
        }
    }

    private MicronautShop() {}
}
