package io.waybill.jdbc.layout.table;

import io.waybill.Time;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.observe.WaitingItem;
import io.waybill.store.outbox.ClaimedMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were refused, beside a table that has no place for that. While one of them is here, it is not claimed again before its
 * time, and nothing of its key is.
 */
public final class RefusedRows {

    private static final String ANY = "SELECT EXISTS (SELECT 1 FROM ${prefix}relay_waiting)";
    private static final String DUE = """
            SELECT row_id, destination, state FROM ${prefix}relay_waiting
             WHERE state = 'RETRY' AND due_at <= (SELECT ${now_plus_millis}) ${except}
             ORDER BY due_at LIMIT ?
            """;
    private static final String GIVEN_UP = """
            SELECT row_id FROM ${prefix}relay_waiting WHERE state = 'PARKED' ORDER BY row_id LIMIT ?
            """;
    private static final String REMOVE = "DELETE FROM ${prefix}relay_waiting WHERE row_id = ?";
    private static final String PUT = """
            INSERT INTO ${prefix}relay_waiting (row_id, destination, partition_key, state, attempts, last_error, due_at)
            VALUES (?, ?, ?, ?, ?, ?, ${now_plus_millis})
            """;
    private static final String COUNTS = """
            SELECT destination, state, count(*), sum(attempts), max(attempts)
              FROM ${prefix}relay_waiting GROUP BY destination, state
            """;
    private static final String KEYS = """
            SELECT destination, count(DISTINCT partition_key)
              FROM ${prefix}relay_waiting WHERE partition_key <> '' AND state <> 'NOTED' GROUP BY destination
            """;

    private final Dialect dialect;
    private final String prefix;
    private final Time time;

    public RefusedRows(Dialect dialect, String prefix, Time time) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
    }

    /** Why a message is here. */
    public enum State {
        /** To be tried again when it is due. */
        RETRY,
        /** Refused for the last time, and marked so in its table: it and its key move when the mark is taken away. */
        PARKED,
        /** Waits until somebody removes it from here. */
        BLOCKED,
        /** Not waiting: only its attempts are kept. */
        NOTED
    }

    public record Due(String id, String destination) {}

    /** How many of one state there are for one destination. */
    public record Count(String destination, State state, long messages, long attempts, int maxAttempts) {}

    public boolean isAnyThere(Connection connection) throws SQLException {
        return Jdbc.query(connection, sql(ANY), none -> {}, row -> row.getBoolean(1))
                .get(0);
    }

    public List<Due> due(Connection connection, Set<String> except, int limit) throws SQLException {
        String others = except.isEmpty() ? "" : "AND destination NOT IN (" + Placeholders.of(except) + ")";
        return Jdbc.query(
                connection,
                sql(DUE.replace("${except}", others)),
                statement -> {
                    statement.setLong(1, time.offset().toMillis());
                    int next = Placeholders.bind(statement, 2, except);
                    statement.setInt(next, limit);
                },
                row -> new Due(row.getString(1), row.getString(2)));
    }

    public List<String> parked(Connection connection, int limit) throws SQLException {
        return Jdbc.query(connection, sql(GIVEN_UP), statement -> statement.setInt(1, limit), row -> row.getString(1));
    }

    public void remove(Connection connection, Collection<String> ids) throws SQLException {
        for (String id : ids) {
            Jdbc.update(connection, sql(REMOVE), statement -> statement.setString(1, id));
        }
    }

    /**
     * Keeps a refused row.
     *
     * @param delay until its next attempt; null when it has none
     */
    public void put(
            Connection connection,
            ClaimedMessage message,
            boolean withKey,
            State state,
            int attempts,
            String error,
            @Nullable Duration delay)
            throws SQLException {
        remove(connection, List.of(message.place()));
        Jdbc.update(connection, sql(PUT), statement -> {
            statement.setString(1, message.place());
            statement.setString(2, message.envelope().destination());
            statement.setString(3, withKey ? message.envelope().partitionKey() : "");
            statement.setString(4, state.name());
            statement.setInt(5, attempts);
            statement.setString(6, error);
            statement.setLong(7, (delay == null ? Duration.ZERO : delay.plus(time.offset())).toMillis());
        });
    }

    public List<Count> counts(Connection connection) throws SQLException {
        return Jdbc.query(
                connection,
                sql(COUNTS),
                none -> {},
                row -> new Count(
                        row.getString(1),
                        State.valueOf(row.getString(2)),
                        row.getLong(3),
                        row.getLong(4),
                        row.getInt(5)));
    }

    /** The keys that wait behind a message of theirs. */
    public List<WaitingItem> keys(Connection connection) throws SQLException {
        return Jdbc.query(
                connection,
                sql(KEYS),
                none -> {},
                row -> WaitingItem.of(
                        WaitingItem.Kind.KEY,
                        row.getString(1),
                        row.getLong(2),
                        null,
                        false,
                        row.getLong(2) + " keys wait behind a message of theirs that was refused",
                        "that message is accepted, replayed or discarded"));
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}
