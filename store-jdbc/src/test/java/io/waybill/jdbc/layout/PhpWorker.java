package io.waybill.jdbc.layout;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** A worker as the PHP transport is: one row at a time, by its own statements. */
final class PhpWorker {

    private static final String NEXT = """
            SELECT m.id, m.partition_key, m.body, m.delivered_at >= ${limit} FROM messenger_outbox m
             WHERE m.id IN (
                SELECT MIN(sub.id) FROM messenger_outbox sub
                 WHERE sub.queue_name = 'outbox'
                   AND (sub.delivered_at IS NULL OR sub.delivered_at < ${limit})
                   AND sub.available_at <= ${now}
                 GROUP BY sub.partition_key)
             LIMIT 1 FOR UPDATE SKIP LOCKED
            """;

    private final DataSource dataSource;
    private final String now;
    private final String limit;

    PhpWorker(DataSource dataSource, String now, String limit) {
        this.dataSource = dataSource;
        this.now = now;
        this.limit = limit;
    }

    /**
     * A row.
     *
     * @param taken whether somebody else holds it: their statement looks at that before it waits for the row, not after
     */
    record Row(long id, String key, String body, boolean taken) {}

    /** Is told which row the worker has locked, before anybody else can know. */
    interface Locked {
        void row(Row row);
    }

    Optional<Row> claim(Locked locked) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            try (var statement = connection.createStatement()) {
                Row row;
                try (var rows =
                        statement.executeQuery(NEXT.replace("${limit}", limit).replace("${now}", now))) {
                    if (!rows.next()) {
                        connection.commit();
                        return Optional.empty();
                    }
                    row = new Row(rows.getLong(1), rows.getString(2), rows.getString(3), rows.getBoolean(4));
                }
                locked.row(row);
                statement.executeUpdate(
                        "UPDATE messenger_outbox SET delivered_at = " + now + " WHERE id = " + row.id());
                connection.commit();
                return Optional.of(row);
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    void acknowledge(Row row) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM messenger_outbox WHERE id = " + row.id());
        }
    }
}
