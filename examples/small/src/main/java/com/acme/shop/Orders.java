package com.acme.shop;

import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Orders {
    private final JdbcTemplate jdbc;
    private final Outbox outbox;

    Orders(JdbcTemplate jdbc, Outbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    @Transactional
    public void place(String orderId) {
        jdbc.update("INSERT INTO orders VALUES (?)", orderId);
        outbox.append(
                Message.event(new OrderPlaced(orderId)).to("orders.placed").inOrderOf(orderId));
    }
}
