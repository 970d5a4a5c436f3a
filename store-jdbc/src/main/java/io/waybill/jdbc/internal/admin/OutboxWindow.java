package io.waybill.jdbc.internal.admin;

import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The next so many messages of a part of the outbox, found by an index whatever else is asked of them. */
public final class OutboxWindow {

    private static final String ROWS =
            "o.id, o.outbox_id, o.category, o.type, o.destination, o.message_key, o.partition_key, o.headers, o.status,"
                    + " o.retry_count, o.last_error, o.retries, o.available_at, o.created_at, o.dispatched_at, ${shard} AS shard";

    private static final String NEXT = """
            SELECT ${columns} FROM ${prefix}outbox o WHERE ${part} AND o.id > ? ORDER BY o.id LIMIT ?""";

    /** What is ready on PostgreSQL has an index that begins with the destination: the destinations one by one, and the next of each. */
    private static final String READY_ON_POSTGRESQL = """
            SELECT o.* FROM (
                WITH RECURSIVE d AS (
                    SELECT (SELECT min(r.destination) FROM ${prefix}outbox r
                             WHERE r.status = 'PENDING' AND r.available_at IS NULL) AS destination
                    UNION ALL
                    SELECT (SELECT min(r.destination) FROM ${prefix}outbox r
                             WHERE r.status = 'PENDING' AND r.available_at IS NULL AND r.destination > d.destination)
                      FROM d WHERE d.destination IS NOT NULL)
                SELECT destination FROM d WHERE destination IS NOT NULL) served
             CROSS JOIN LATERAL (
                SELECT ${columns} FROM ${prefix}outbox o
                 WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination = served.destination AND o.id > ?
                 ORDER BY o.id LIMIT ?) o
             ORDER BY o.id LIMIT ?""";

    private final String sql;
    private final Values before;
    private final boolean ofEachDestination;

    private OutboxWindow(String sql, Values before, boolean ofEachDestination) {
        this.sql = sql;
        this.before = before;
        this.ofEachDestination = ofEachDestination;
    }

    /** The parts in which all that is selected lies. */
    public static List<OutboxWindow> of(Selection selection, Dialect dialect) {
        Set<OutboxStatus> wanted =
                selection.statuses().isEmpty() ? Set.of(OutboxStatus.values()) : selection.statuses();
        boolean settled = wanted.stream().anyMatch(status -> !status.isOpen());
        var windows = new ArrayList<OutboxWindow>();
        if (settled) {
            windows.add(next(dialect == Dialect.POSTGRESQL ? "o.dispatched_at IS NOT NULL" : "1 = 1"));
        }
        if (!settled || dialect == Dialect.POSTGRESQL) {
            Arrays.stream(OutboxStatus.values())
                    .filter(status -> status.isOpen() && wanted.contains(status))
                    .map(status -> of(status, selection.destination(), dialect))
                    .forEach(windows::add);
        }
        return windows;
    }

    private static OutboxWindow of(OutboxStatus status, String destination, Dialect dialect) {
        if (dialect != Dialect.POSTGRESQL) {
            return next(SelectionSql.status(status));
        }
        if (!destination.isEmpty()) {
            String part = SelectionSql.status(status) + " AND o.destination = ?";
            return new OutboxWindow(NEXT.replace("${part}", part), new Values().and(destination), false);
        }
        return status == OutboxStatus.PENDING
                ? new OutboxWindow(READY_ON_POSTGRESQL, new Values(), true)
                : next(SelectionSql.status(status));
    }

    private static OutboxWindow next(String part) {
        return new OutboxWindow(NEXT.replace("${part}", part), new Values(), false);
    }

    /** A query for the ids alone. */
    public String ids() {
        return sql.replace("${columns}", "o.id");
    }

    /** A query with the columns of the outbox but those that may be large: not every database leaves out what is not asked for. */
    public String rows() {
        return sql.replace("${columns}", ROWS);
    }

    /** The values of its parameters, for so many messages behind this position. */
    public Values values(long after, int size) {
        Values values = new Values().and(before).and(after).and(size);
        return ofEachDestination ? values.and(size) : values;
    }
}
