package io.waybill.jdbc.internal.admin;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxStatus;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How many messages are not published yet, by destination and status: one look serves the counts and what waits. */
public final class OutboxCounts {

    /**
     * One branch per index: what was dispatched is never looked at, and on MySQL the index has all that is asked for. Only what waits for
     * its next attempt has a time for it and an error to show.
     */
    private static final String COUNTS = """
            SELECT destination, 'PENDING' AS state, count(*), sum(retry_count), max(retry_count), min(created_at),
                   min(available_at), ''
              FROM ${prefix}outbox WHERE status = 'PENDING' AND available_at IS NULL GROUP BY destination
            UNION ALL
            SELECT destination, 'WAITING', count(*), sum(retry_count), max(retry_count), min(created_at),
                   min(available_at), max(last_error)
              FROM ${prefix}outbox WHERE status = 'PENDING' AND available_at IS NOT NULL GROUP BY destination
            UNION ALL
            SELECT destination, status, count(*), sum(retry_count), max(retry_count), min(created_at),
                   min(available_at), ''
              FROM ${prefix}outbox WHERE status IN ('HELD', 'FAILED') GROUP BY destination, status
            """;

    private final Dialect dialect;
    private final String sql;

    public OutboxCounts(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.sql = dialect.sql(COUNTS, prefix);
    }

    /**
     * Messages of one destination and status.
     *
     * @param attempts how often they were refused together
     * @param oldest when the oldest was appended
     * @param nextAttempt when the next of them is tried again; null unless they wait for that
     * @param error of one of those
     */
    public record Count(
            String destination,
            OutboxStatus status,
            long messages,
            long attempts,
            int maxAttempts,
            Instant oldest,
            @Nullable Instant nextAttempt,
            @Nullable String error) {}

    public List<Count> read(Connection connection) throws SQLException {
        return Jdbc.query(connection, sql, none -> {}, this::count);
    }

    private Count count(ResultSet row) throws SQLException {
        return new Count(
                row.getString(1),
                OutboxStatus.valueOf(row.getString(2)),
                row.getLong(3),
                row.getLong(4),
                row.getInt(5),
                dialect.instant(row, 6),
                row.getObject(7) == null ? null : dialect.instant(row, 7),
                row.getString(8));
    }

    /** The same by destination alone. */
    public static List<DestinationStats> byDestination(Collection<Count> counts) {
        var byDestination = new TreeMap<String, DestinationStats>();
        counts.forEach(count -> byDestination.merge(
                count.destination(),
                DestinationStats.of(
                        count.destination(),
                        count.status(),
                        count.messages(),
                        count.attempts(),
                        count.maxAttempts(),
                        count.oldest()),
                DestinationStats::plus));
        return List.copyOf(byDestination.values());
    }
}
