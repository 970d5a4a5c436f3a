package com.acme.guide;

import io.waybill.command.DomainCommand;
import io.waybill.message.MessageType;
import io.waybill.store.Transactions;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Instant;
import java.util.UUID;

/** What the documents speak of. */
final class Types {

    private Types() {}

    @MessageType("OrderPlaced")
    public record OrderPlaced(UUID orderId, BigDecimal total, Instant placedAt) {}

    record NewAddress(String street) {}

    record Invoice(UUID orderId) {}

    record OrderCreated(String orderId) {}

    record CreateOrderCommand(String customer, int amount) implements DomainCommand {}

    interface Invoices {
        Invoice create(Connection connection, OrderPlaced placed);
    }

    static final class Mailer {}

    static final class Orders {
        Orders() {}

        Orders(Transactions transactions) {}
    }
}
