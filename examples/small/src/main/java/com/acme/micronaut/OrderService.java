package com.acme.micronaut;

import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

@Singleton
public class OrderService {

    private final Orders orders;
    private final Outbox outbox;

    OrderService(Orders orders, Outbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    @Transactional
    public Order createOrder(CreateOrderCommand command) {
        Order order = orders.save(command.id(), command.customer());
        outbox.append(Message.event("OrderPlaced", order).to("orders.placed").inOrderOf(order.id()));
        return order;
    }
}
