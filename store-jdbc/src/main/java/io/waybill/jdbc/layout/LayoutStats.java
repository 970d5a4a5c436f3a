package io.waybill.jdbc.layout;

import io.waybill.Time;
import io.waybill.jdbc.Jdbc;
import io.waybill.store.DestinationStats;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts what waits in an adopted table, and in the table beside it. */
record LayoutStats(LayoutSql sql, Waiting waiting, Time time) {

    List<DestinationStats> read(Connection connection) throws SQLException {
        Map<String, DestinationStats> stats = new TreeMap<>();
        Jdbc.query(connection, sql.counts(), none -> {}, row -> {
            String destination = row.getString(1);
            return stats.put(
                    destination, new DestinationStats(destination, row.getLong(2), 0, 0, 0, 0, 0, oldest(row)));
        });
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

    /** A row that waits is pending in its table as long as it is not marked as failed. */
    private static DestinationStats waitingOf(Waiting.Count count) {
        boolean retry = count.state() == Waiting.State.RETRY;
        boolean failed = count.state() == Waiting.State.PARKED || count.state() == Waiting.State.BLOCKED;
        long pendingToo = retry || count.state() == Waiting.State.BLOCKED ? -count.messages() : 0;
        return new DestinationStats(
                count.destination(),
                pendingToo,
                retry ? count.messages() : 0,
                0,
                failed ? count.messages() : 0,
                count.attempts(),
                count.mostAttempts(),
                null);
    }
}
