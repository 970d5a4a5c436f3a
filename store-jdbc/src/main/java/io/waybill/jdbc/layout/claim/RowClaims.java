package io.waybill.jdbc.layout.claim;

import io.waybill.Time;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutRows.Row;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims that are written to the rows, for tables from which others take rows too. The lease keeps relays from each other; this keeps
 * relays and those others apart.
 *
 * <p><i>Threads:</i> safe. One thread claims and settles, another keeps the claims alive meanwhile.
 */
final class RowClaims {

    private final LayoutSql sql;
    private final Duration refresh;
    private final Time time;
    private final Set<String> held = new LinkedHashSet<>();
    private Time.@Nullable Stopwatch sinceRefresh;

    RowClaims(Layout.RowClaim claim, LayoutSql sql, Time time) {
        this.sql = sql;
        this.refresh = claim.redeliverTimeout().dividedBy(3);
        this.time = time;
    }

    /**
     * Claims those of the rows that nobody else has taken since they were read. What others took stops its key: a row that is locked
     * or gone was next in its key, and may be on its way.
     */
    List<Row> take(Connection connection, List<Row> candidates) throws SQLException {
        if (candidates.isEmpty()) {
            return candidates;
        }
        List<String> wanted = places(candidates);
        Set<String> locked = new HashSet<>(
                Jdbc.query(connection, sql.lock(wanted), sql.ids().binder(wanted), row -> row.getString(1)));
        Set<String> stopped = new HashSet<>();
        List<Row> taken = new ArrayList<>();
        for (Row row : candidates) {
            String key = row.message().envelope().partitionKey();
            if (!stopped.contains(key) && locked.contains(row.message().place())) {
                taken.add(row);
            } else if (!key.isEmpty()) {
                stopped.add(key);
            }
        }
        if (!taken.isEmpty()) {
            List<String> ids = places(taken);
            stamp(connection, ids);
            hold(ids);
        }
        return taken;
    }

    private void stamp(Connection connection, List<String> ids) throws SQLException {
        Jdbc.update(
                connection,
                sql.update(sql.columns().setTime(sql.columns().claimColumn()), ids),
                sql.ids().binder(ids));
    }

    private synchronized void hold(Collection<String> ids) {
        if (held.isEmpty()) {
            sinceRefresh = time.stopwatch();
        }
        held.addAll(ids);
    }

    /** These rows are settled: their claims are gone with them, or were taken back. */
    synchronized void settled(Collection<String> ids) {
        held.removeAll(ids);
    }

    /** Takes back the claims on rows that were not sent after all. */
    void release(Connection connection) throws SQLException {
        List<String> left = held();
        if (!left.isEmpty()) {
            Jdbc.update(
                    connection,
                    sql.update(sql.columns().setNull(sql.columns().claimColumn()), left),
                    sql.ids().binder(left));
            settled(left);
        }
    }

    /** While a publish takes long, says that the rows are still being worked on. */
    void keepAlive(Jdbc jdbc) {
        List<String> alive = due();
        if (!alive.isEmpty()) {
            jdbc.autoCommit("keep " + alive.size() + " claimed rows", connection -> {
                stamp(connection, alive);
                return alive.size();
            });
        }
    }

    private synchronized List<String> due() {
        if (held.isEmpty() || sinceRefresh == null || !sinceRefresh.hasReached(refresh)) {
            return List.of();
        }
        sinceRefresh = time.stopwatch();
        return List.copyOf(held);
    }

    private synchronized List<String> held() {
        return List.copyOf(held);
    }

    private static List<String> places(List<Row> rows) {
        return rows.stream().map(row -> row.message().place()).toList();
    }
}
