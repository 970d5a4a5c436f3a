package io.waybill.jdbc.internal.sql;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;

/** Counts the messages of a key, for receivers that want to see gaps. A counter is locked until the caller commits: that is what makes the numbers dense. */
public final class MessageNumbers {

    private static final String COUNT_ON = """
            UPDATE ${prefix}outbox_sequence SET last_number = last_number + 1 WHERE destination = ? AND partition_key = ?
            """;
    private static final String FIRST = """
            INSERT INTO ${prefix}outbox_sequence (destination, partition_key, last_number) VALUES (?, ?, 0)
            """;
    private static final String LAST = """
            SELECT last_number FROM ${prefix}outbox_sequence WHERE destination = ? AND partition_key = ?
            """;

    private final Dialect dialect;
    private final String countOn;
    private final String first;
    private final String last;

    public MessageNumbers(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.countOn = dialect.sql(COUNT_ON, prefix);
        this.first = dialect.sql(FIRST, prefix);
        this.last = dialect.sql(LAST, prefix);
    }

    public long next(Connection connection, String destination, String partitionKey) {
        Jdbc.Binder key = statement -> {
            statement.setString(1, destination);
            statement.setString(2, partitionKey);
        };
        try {
            if (Jdbc.update(connection, countOn, key) == 0) {
                Jdbc.insertIfMissing(connection, dialect, first, key);
                Jdbc.update(connection, countOn, key);
            }
            return Jdbc.query(connection, last, key, row -> row.getLong(1)).get(0);
        } catch (SQLException e) {
            throw Jdbc.failed("number a message of key '" + partitionKey + "' to " + destination, e);
        }
    }
}
