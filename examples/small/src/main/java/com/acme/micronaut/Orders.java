package com.acme.micronaut;

import io.waybill.store.Transactions;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;

/** The table of orders. */
@Singleton
public class Orders {

    private final Transactions transactions;

    Orders(Transactions transactions) {
        this.transactions = transactions;
    }

    public Order save(String id, String customer) {
        Connection connection = transactions.current().unwrap(Connection.class);
        try (var insert = connection.prepareStatement("INSERT INTO orders VALUES (?, ?)")) {
            insert.setString(1, id);
            insert.setString(2, customer);
            insert.executeUpdate();
            return new Order(id, customer);
        } catch (SQLException e) {
            throw new IllegalStateException("The order " + id + " was not written: " + e.getMessage(), e);
        }
    }
}
