package io.waybill.server.demo;

import io.waybill.Time;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.Received;
import io.waybill.inbox.Subscriber;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.Transaction;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** A shop that takes orders and a billing department that hears of them, step by step and in words. */
final class Tour implements AutoCloseable {

    private static final String ORDERS = "orders.placed";

    private final Narrator out;
    private final JdbcConnectionPool database;
    private final JdbcStore store;
    private final Inbox inbox;
    private final Relay relay;
    private List<Envelope> delivered = List.of();
    private int lastOrder = 1000;

    private Tour(PrintWriter out) {
        this.out = new Narrator(out);
        this.database = JdbcConnectionPool.create("jdbc:h2:mem:tour;DB_CLOSE_DELAY=-1", "sa", "");
        this.store = JdbcStore.on(database).initializeSchema();
        this.inbox = new Inbox(store.inboxStore(), store.transactions(), store.outbox());
        this.relay = new Relay(
                store.outboxStore(),
                store.leaseStore(),
                Routes.of(Route.of("orders.*", this::publish)),
                RelayOptions.DEFAULT,
                Time.system(),
                new Told());
    }

    static Tour start(PrintWriter out) throws SQLException {
        var tour = new Tour(out);
        execute(tour.database, "CREATE TABLE orders (order_id INT PRIMARY KEY, item VARCHAR(40) NOT NULL)");
        execute(tour.database, "CREATE TABLE invoice (order_id INT NOT NULL)");
        return tour;
    }

    void introduce() {
        out.line("A shop writes orders to its database (H2, in memory). Billing must hear of each order, once.");
    }

    void placeOrder() {
        int order = ++lastOrder;
        out.title("An order and its message are one transaction");
        store.transactions().inTransaction(transaction -> insertOrder(transaction, order));
        out.step("commit", "the order and its message exist, or neither does");
        relay.drain();
    }

    void deliverAgain() {
        out.title("The broker delivers the same message a second time");
        delivered.forEach(this::receive);
    }

    void placeOrderThatFails() {
        int order = ++lastOrder;
        out.title("An order that fails half-way");
        try {
            store.transactions().inTransaction(transaction -> {
                insertOrder(transaction, order);
                throw new IllegalStateException("the card was declined");
            });
        } catch (IllegalStateException e) {
            out.step("roll back", e.getMessage() + ": the order is gone, and so is its message");
        }
        int sent = relay.drain();
        out.step("claim", sent + " messages waiting: nothing left the shop");
    }

    void summarize() throws SQLException {
        out.title("What is in the tables now");
        out.line("  orders " + count("orders") + ", invoices " + count("invoice") + ", messages dispatched "
                + count("outbox WHERE status = 'DISPATCHED'") + ", handled " + count("inbox"));
    }

    private int insertOrder(Transaction transaction, int order) {
        try (PreparedStatement insert = transaction
                .unwrap(Connection.class)
                .prepareStatement("INSERT INTO orders (order_id, item) VALUES (?, 'tea pot')")) {
            insert.setInt(1, order);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        out.step("business", "INSERT INTO orders: order " + order + ", one tea pot");
        Outbox outbox = store.outbox();
        outbox.append(Message.event("OrderPlaced", "{\"orderId\":" + order + "}")
                .to(ORDERS)
                .inOrderOf(order));
        out.step("append", "OrderPlaced for " + ORDERS + ", in the same transaction");
        return order;
    }

    private List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        out.step("publish", "to " + batch.get(0).destination() + ", here a transport inside this process");
        return Publisher.oneByOne(batch, deadline, message -> {
            receive(message);
            return new Outcome.Accepted();
        });
    }

    private void receive(Envelope message) {
        delivered = List.of(message);
        out.step(
                "receive",
                "billing gets " + message.type() + " " + message.payload().asText());
        boolean handled = inbox.receive(message, Subscriber.ofText("billing", Tour::writeInvoice));
        out.step(
                handled ? "handle" : "ignore",
                handled
                        ? "the invoice is written, and the inbox remembers the message: one transaction"
                        : "the inbox knows this message: no second invoice");
    }

    private static void writeInvoice(Received<String> received) throws SQLException {
        try (PreparedStatement insert =
                received.connection().prepareStatement("INSERT INTO invoice (order_id) VALUES (?)")) {
            insert.setString(1, received.message().partitionKey());
            insert.executeUpdate();
        }
    }

    private long count(String what) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM " + what)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        relay.close();
        database.dispose();
    }

    /** Says what the relay does. */
    private final class Told implements RelayListener {
        @Override
        public void claimed(List<Envelope> messages) {
            out.step("claim", "the relay finds " + messages.size() + " committed message");
        }

        @Override
        public void published(List<Envelope> messages, Duration lag) {
            out.step("settle", "the message is marked DISPATCHED");
        }
    }

    private record Narrator(PrintWriter out) {

        void title(String text) {
            line("");
            line(text);
        }

        void step(String verb, String text) {
            line("  " + verb + " ".repeat(Math.max(1, 11 - verb.length())) + text);
        }

        void line(String text) {
            out.println(text);
            out.flush();
        }
    }
}
