package io.waybill.benchmarks.floor;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The hand-written loop: select in id order, publish, delete or mark. It keeps one connection and its two statements, and every
 * statement commits by itself.
 */
public final class FloorRelay implements AutoCloseable {

    static final int BATCH = 2_000;

    private final Connection connection;
    private final PreparedStatement select;
    private final PreparedStatement settle;
    private final Consumer<List<Row>> publisher;

    /** @param loop which of the table's loops it is, counted from zero */
    public FloorRelay(BenchmarkDatabase database, FloorTable table, int loop, Consumer<List<Row>> publisher)
            throws SQLException {
        this.connection = database.pool().getConnection();
        this.select = connection.prepareStatement(table.select);
        this.settle = connection.prepareStatement(table.settle);
        this.publisher = publisher;
        if (table.loops > 1) {
            select.setInt(1, loop);
        }
        select.setInt(table.loops > 1 ? 2 : 1, BATCH);
    }

    /** One cycle. Returns how many messages it sent. */
    public int runOnce() throws SQLException {
        List<Row> rows = next();
        if (!rows.isEmpty()) {
            publisher.accept(rows);
            settle(rows);
        }
        return rows.size();
    }

    private List<Row> next() throws SQLException {
        try (ResultSet found = select.executeQuery()) {
            List<Row> rows = new ArrayList<>();
            while (found.next()) {
                rows.add(new Row(
                        found.getLong(1),
                        found.getString(2),
                        found.getString(3),
                        found.getString(4),
                        found.getString(5)));
            }
            return rows;
        }
    }

    private void settle(List<Row> rows) throws SQLException {
        settle.setArray(
                1, connection.createArrayOf("int8", rows.stream().map(Row::id).toArray()));
        settle.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    public record Row(long id, String partitionKey, String destination, String payload, String headers) {}
}
