package com.acme.shop;

import io.waybill.inbox.SubscribeTo;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Mails {
    private final JdbcTemplate jdbc;

    Mails(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @SubscribeTo("orders.placed")
    @Transactional
    public void send(OrderPlaced placed) {
        jdbc.update("INSERT INTO mails VALUES (?)", placed.orderId());
        System.out.println("A mail about " + placed.orderId());
    }
}
