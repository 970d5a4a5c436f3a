package io.waybill.jdbc.internal.outbox;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.Envelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Messages that enter the outbox when their time has come. */
final class ScheduledMessages {

    private static final String ADD = """
            INSERT INTO ${prefix}outbox_scheduled
                   (outbox_id, category, type, message_key, partition_key, payload, payload_binary, headers, destination, due_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${now_plus_millis})
            """;
    private static final String DUE = """
            SELECT outbox_id, category, type, message_key, partition_key, payload, payload_binary, headers, destination
              FROM ${prefix}outbox_scheduled WHERE due_at <= (SELECT ${now_plus_millis})
             ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED
            """;
    private static final String REMOVE = """
            DELETE FROM ${prefix}outbox_scheduled WHERE outbox_id = ?
            """;

    private final String add;
    private final String due;
    private final String remove;
    private final Time time;

    ScheduledMessages(Dialect dialect, String prefix, Time time) {
        this.add = dialect.sql(ADD, prefix);
        this.due = dialect.sql(DUE, prefix);
        this.remove = dialect.sql(REMOVE, prefix);
        this.time = time;
    }

    void add(Connection connection, Envelope message, Duration delay) {
        try {
            Jdbc.update(connection, add, statement -> {
                int next = Envelopes.bind(statement, 1, message);
                statement.setLong(next, delay.plus(time.offset()).toMillis());
            });
        } catch (SQLException e) {
            throw Jdbc.failed("schedule message " + message.id(), e);
        }
    }

    /** Those whose time has come, in its order; they are here no more. */
    List<Envelope> takeDue(Connection connection, int limit) throws SQLException {
        List<Envelope> messages = Jdbc.query(
                connection,
                due,
                statement -> {
                    statement.setLong(1, time.offset().toMillis());
                    statement.setInt(2, limit);
                },
                row -> Envelopes.read(row, 1).envelope());
        Jdbc.batch(connection, remove, messages, (statement, message) -> statement.setObject(1, message.id()));
        return messages;
    }
}
