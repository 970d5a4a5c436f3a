package com.acme.examples;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;

import io.waybill.command.DomainCommand;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A command, its handler, and its answer. A second command with the same key is the first one. */
public final class Commands {

    public record CreateOrderCommand(String customer, int amount) implements DomainCommand {
        public CreateOrderCommand {
            if (amount < 1) {
                throw new IllegalArgumentException("amount must be at least 1, but is " + amount);
            }
        }
    }

    public record OrderCreated(String orderId) {}

    public static class Orders {
        private final Transactions transactions;

        Orders(Transactions transactions) {
            this.transactions = transactions;
        }

        public OrderCreated create(CreateOrderCommand command) throws SQLException {
            String orderId = insertOrder(transactions.current().unwrap(Connection.class), command);
            return new OrderCreated(orderId);
        }

        private static String insertOrder(Connection connection, CreateOrderCommand command) throws SQLException {
            try (var insert = connection.prepareStatement("INSERT INTO orders (customer) VALUES (?)", new int[] {1})) {
                insert.setString(1, command.customer());
                insert.executeUpdate();
                try (var keys = insert.getGeneratedKeys()) {
                    keys.next();
                    return "o-" + keys.getInt(1);
                }
            }
        }
    }

    public static void main(String[] args) throws SQLException {
        var dataSource = Database.inMemory(
                "commands", "CREATE TABLE orders (id INT GENERATED ALWAYS AS IDENTITY, customer VARCHAR(20))");
        var command = new CreateOrderCommand("customer-1", 2);

        var waybill = Waybill.on(dataSource)
                .handlers(transactions -> new Orders(transactions))
                .start();

        OrderCreated created = waybill.commandBus()
                .send(command, idempotencyKey("request-7"))
                .await(Duration.ofSeconds(5))
                .as(OrderCreated.class);
        System.out.println("Created " + created.orderId());

        var first = waybill.commandBus().accept(command, idempotencyKey("request-8"), businessKey("customer-1"));
        var again = waybill.commandBus().accept(command, idempotencyKey("request-8"), businessKey("customer-1"));
        System.out.println("Accepted once: " + first.equals(again));

        waybill.close();
    }

    private Commands() {}
}
