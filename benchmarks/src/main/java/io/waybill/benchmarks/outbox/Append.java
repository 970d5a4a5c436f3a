package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A way of writing messages. Used by several threads. */
interface Append {

    String ORDERS = """
            CREATE TABLE orders (
                order_id   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                customer   TEXT NOT NULL,
                amount     INT NOT NULL,
                created_at TIMESTAMPTZ NOT NULL DEFAULT now())
            """;
    String INSERT_ORDER = """
            INSERT INTO orders (customer, amount) VALUES (?, ?)
            """;

    /** An order and its message in one transaction. */
    void withOrder(int number) throws SQLException;

    /** That many messages in one transaction. */
    void batch(int from, int count) throws SQLException;

    /** The application's own row. */
    static void insertOrder(Connection connection, int number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT_ORDER)) {
            insert.setString(1, Workload.USUAL.key(number));
            insert.setInt(2, number);
            insert.executeUpdate();
        }
    }

    /** Makes one on an empty database. */
    @FunctionalInterface
    interface Factory {
        Append on(BenchmarkDatabase database) throws SQLException;
    }
}
