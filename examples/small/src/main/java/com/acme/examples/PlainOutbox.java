package com.acme.examples;

import io.waybill.message.Message;
import io.waybill.runtime.Waybill;
import java.sql.Connection;
import java.sql.SQLException;
import org.h2.jdbcx.JdbcDataSource;

/** An order and its message in one commit, without a framework. */
public final class PlainOutbox {

    record Order(String id, int amount) {}

    public static void main(String[] args) throws SQLException {
        JdbcDataSource dataSource = Database.inMemory("plain", "CREATE TABLE orders (id VARCHAR(20), amount INT)");
        var order = new Order("o-1", 2);

        var waybill = Waybill.on(dataSource).route("orders.*", "stdout:").start();

        try (var connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            insertOrder(connection, order);
            waybill.outbox(connection)
                    .append(Message.event("OrderPlaced", order)
                            .to("orders.placed")
                            .inOrderOf(order.id()));
            connection.commit();
        }

        Wait.until("the message is sent", () -> waybill.store().admin().stats().isEmpty());
        waybill.close();
    }

    private static void insertOrder(Connection connection, Order order) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO orders VALUES (?, ?)")) {
            insert.setString(1, order.id());
            insert.setInt(2, order.amount());
            insert.executeUpdate();
        }
    }

    private PlainOutbox() {}
}
