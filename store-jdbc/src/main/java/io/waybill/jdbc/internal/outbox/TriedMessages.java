package io.waybill.jdbc.internal.outbox;

import io.waybill.Time;
import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.internal.sql.RowStatement;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.AttemptLog;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.TriedMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Messages of which something is known before they are tried: that they were tried elsewhere, or that they may end the relay. */
final class TriedMessages {

    private static final String APPEND = """
            INSERT INTO ${prefix}outbox
                   (outbox_id, category, type, message_key, partition_key, payload, payload_binary, headers, destination, attempt_log)
            VALUES """;
    private static final String ROW = " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final int MAX_ROWS = 500;

    /** A handler of the relay that owned it before may still hold it; nobody waits for that. */
    private static final String LOCK_IF_FREE = """
            SELECT id FROM ${prefix}outbox WHERE outbox_id = ? FOR UPDATE SKIP LOCKED
            """;

    private static final String NOTE_ATTEMPT = """
            UPDATE ${prefix}outbox o SET retry_count = ?, last_error = ?
             WHERE outbox_id = ? AND status = 'PENDING'
               AND ${shard} IN (SELECT shard FROM ${prefix}relay_lease WHERE shard = ? AND pool = ? AND token = ?)
            """;

    private final RowStatement append;
    private final String lockIfFree;
    private final String noteAttempt;
    private final Time time;

    TriedMessages(Dialect dialect, String prefix, Time time) {
        this.append = RowStatement.insert(dialect.sql(APPEND, prefix), ROW);
        this.lockIfFree = dialect.sql(LOCK_IF_FREE, prefix);
        this.noteAttempt = dialect.sql(NOTE_ATTEMPT, prefix);
        this.time = time;
    }

    int append(Connection connection, List<TriedMessage> messages) throws SQLException {
        Instant now = time.clock().instant();
        for (int from = 0; from < messages.size(); from += MAX_ROWS) {
            List<TriedMessage> rows = messages.subList(from, Math.min(messages.size(), from + MAX_ROWS));
            Jdbc.update(connection, append.of(rows.size()), statement -> {
                int at = 1;
                for (TriedMessage row : rows) {
                    at = Envelopes.bind(statement, at, row.message());
                    statement.setString(
                            at++,
                            row.attempts()
                                    .plus(AttemptLog.changed(now, row.note()))
                                    .text());
                }
            });
        }
        return messages.size();
    }

    /** Writes how often it was tried, if the lease holds and nobody works on it. */
    boolean note(Connection connection, Lease lease, ClaimedMessage message, int attempts, String error)
            throws SQLException {
        UUID id = message.envelope().id();
        boolean free = !Jdbc.query(
                        connection, lockIfFree, statement -> statement.setObject(1, id), row -> row.getLong(1))
                .isEmpty();
        return free
                && Jdbc.update(connection, noteAttempt, statement -> {
                            statement.setInt(1, attempts);
                            statement.setString(2, error);
                            statement.setObject(3, id);
                            statement.setInt(4, lease.shard());
                            statement.setString(5, lease.pool());
                            statement.setLong(6, lease.token());
                        })
                        == 1;
    }
}
