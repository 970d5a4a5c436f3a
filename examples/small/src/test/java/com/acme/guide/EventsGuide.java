package com.acme.guide;

import com.acme.guide.Types.CreateOrderCommand;
import com.acme.guide.Types.OrderCreated;
import io.waybill.message.AppendTo;
import io.waybill.message.MessageType;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

/** docs/commands.md, the part about events. */
@SuppressWarnings("unused")
final class EventsGuide {

    @MessageType("OrderPlaced")
    @AppendTo(value = "orders.placed", inOrderOf = "customer")
    public record OrderPlaced(String orderId, String customer) {}

    public static class Orders {
        private final Transactions transactions;
        private final Outbox outbox;

        Orders(Transactions transactions, Outbox outbox) {
            this.transactions = transactions;
            this.outbox = outbox;
        }

        public OrderCreated create(CreateOrderCommand command) {
            String orderId = insertOrder(transactions.current().unwrap(Connection.class), command);
            outbox.publish(new OrderPlaced(orderId, command.customer()));
            return new OrderCreated(orderId);
        }

        private static String insertOrder(Connection connection, CreateOrderCommand command) {
            return "o-1";
        }
    }

    void start(
            DataSource dataSource, BiConsumer<Connection, OrderPlaced> bill, BiConsumer<Connection, OrderPlaced> mail) {
        var waybill = Waybill.on(dataSource)
                .handlers((transactions, outbox) -> new Orders(transactions, outbox))
                .build();
        waybill.subscribe(
                "orders.placed",
                "billing",
                OrderPlaced.class,
                received -> bill.accept(received.connection(), received.payload()));
        waybill.subscribe(
                "orders.placed",
                "mail",
                OrderPlaced.class,
                received -> mail.accept(received.connection(), received.payload()));
        waybill.start();
    }
}
