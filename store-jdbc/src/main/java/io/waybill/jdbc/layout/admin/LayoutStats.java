package io.waybill.jdbc.layout.admin;

import io.waybill.Time;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.layout.table.RefusedRows;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.admin.DestinationStats;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what waits in an adopted table, and in the table beside it.
 *
 * @param failureIsMarked whether a row says that it was refused for the last time
 */
public record LayoutStats(LayoutSql sql, boolean failureIsMarked, RefusedRows waiting, Time time) {

    public List<DestinationStats> read(Connection connection) throws SQLException {
        Map<String, DestinationStats> stats = new TreeMap<>();
        Jdbc.query(connection, sql.counts(), none -> {}, row -> {
            String destination = row.getString(1);
            return stats.put(
                    destination, new DestinationStats(destination, row.getLong(2), 0, 0, 0, 0, 0, oldest(row)));
        });
        if (failureIsMarked) {
            Jdbc.query(connection, sql.failedCounts(), none -> {}, row -> {
                var failed = new DestinationStats(
                        row.getString(1), 0, 0, 0, row.getLong(2), row.getLong(3), row.getInt(4), null);
                return stats.merge(failed.destination(), failed, DestinationStats::plus);
            });
        }
        for (var count : waiting.counts(connection)) {
            stats.merge(count.destination(), waitingOf(count), DestinationStats::plus);
        }
        return new ArrayList<>(stats.values());
    }

    /** Its age is the database's to tell; a clock that is ahead of it makes nothing younger than now. */
    private @Nullable Instant oldest(ResultSet row) throws SQLException {
        long seconds = row.getLong(3);
        return row.wasNull() ? null : time.clock().instant().minusSeconds(Math.max(0, seconds));
    }

    /** A row that waits is pending in its table as long as it is not marked as failed; then it was counted there. */
    private DestinationStats waitingOf(RefusedRows.Count count) {
        boolean retry = count.state() == RefusedRows.State.RETRY;
        boolean blocked = count.state() == RefusedRows.State.BLOCKED;
        boolean counted =
                count.state() == RefusedRows.State.PARKED && sql.columns().has(ColumnMeaning.ATTEMPTS);
        return new DestinationStats(
                count.destination(),
                retry || blocked ? -count.messages() : 0,
                retry ? count.messages() : 0,
                0,
                blocked ? count.messages() : 0,
                counted ? 0 : count.attempts(),
                counted ? 0 : count.maxAttempts(),
                null);
    }
}
