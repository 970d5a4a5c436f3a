package io.waybill.jdbc.layout.table;

import io.waybill.jdbc.internal.lease.HeldLeasesSql;
import io.waybill.jdbc.layout.table.TableFacts.Column;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.store.outbox.Lease;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The statements of one adopted table: the layout's columns put into a few whole texts. */
public final class LayoutSql {

    /** What is read of a row, in the order of {@link LayoutRows}. */
    private static final String COLUMNS = """
            ${id}, ${position}, ${destination}, ${type}, ${key}, ${partition_key},
                   CASE WHEN ${length} <= ${inline} THEN ${payload} END, ${length}, ${headers}, ${attempts}, ${noted}""";

    private static final String CLAIM = """
            (SELECT ${columns}
               FROM ${table} t ${noted_join}
              WHERE ${pending}${of_lane}${free}${available}${unblocked}
              ORDER BY ${order} LIMIT ?)
            """;
    private static final String NOTED_JOIN = """
            LEFT JOIN ${prefix}relay_waiting w ON w.row_id = ${exact_id}""";

    /** A row that had failed and is pending again begins anew. */
    private static final String NOTED = "CASE WHEN w.state <> 'PARKED' THEN w.attempts END";

    /** A row that had failed without a key holds nobody up: only the reason is kept beside it. */
    private static final String UNBLOCKED = """

                AND (w.row_id IS NULL OR w.state = 'NOTED' OR w.state = 'PARKED' AND w.partition_key = '')
                AND NOT EXISTS (SELECT 1 FROM ${prefix}relay_waiting k
                                 WHERE k.destination = ${exact_destination} AND k.partition_key = ${exact_key}
                                   AND k.partition_key <> '' AND k.state <> 'NOTED')""";

    /** Keys of which somebody else holds a row: nothing of them may overtake it. */
    private static final String NOT_OVERTAKING = """

                AND (${partition_key} = '' OR ${partition_key} NOT IN (
                    SELECT f.${bare_key} FROM ${table} f
                     WHERE ${pending_f} AND f.${claimed} >= ${redeliver_limit} AND f.${claimed} < ${never}))""";

    /** Rows that another relay has begun to send, and their keys: nothing of these may overtake. */
    private static final String NOT_STARTED = """

                AND (t.${started} IS NULL OR t.${started} < ${started_limit})
                AND (COALESCE(${partition_key}, '') = '' OR ${partition_key} NOT IN (
                    SELECT COALESCE(${key_f}, '') FROM ${table} f WHERE ${pending_f} AND f.${started} >= ${started_limit}))""";

    private static final String ANY_STARTED = """
            SELECT EXISTS (SELECT 1 FROM ${table} t WHERE ${pending} AND t.${started} >= ${started_limit})
            """;

    private static final String BY_ID = """
            SELECT ${columns} FROM ${table} t ${noted_join} WHERE ${pending}${free} AND ${among}
            """;
    private static final String LOCK = """
            SELECT ${id} FROM ${table} t ${by_primary_key} WHERE ${pending}${free} AND ${among} FOR UPDATE SKIP LOCKED
            """;
    private static final String PAYLOADS = """
            SELECT ${id}, ${payload} FROM ${table} t WHERE ${among}
            """;
    private static final String LANES = """
            SELECT DISTINCT ${exact_destination} FROM ${table} t WHERE ${pending}
            """;

    /** Jumps from destination to destination in an index that begins with it. */
    private static final String LANES_POSTGRESQL = """
            WITH RECURSIVE lane AS (
                (SELECT ${destination} AS name FROM ${table} t WHERE ${pending} ORDER BY ${destination} LIMIT 1)
                UNION ALL
                SELECT next.name FROM lane, LATERAL (
                    SELECT ${destination} AS name FROM ${table} t WHERE ${pending} AND ${destination} > lane.name
                     ORDER BY ${destination} LIMIT 1) next)
            SELECT name FROM lane
            """;

    private static final String COUNTS = """
            SELECT ${exact_destination}, count(*), ${oldest_age} FROM ${table} t WHERE ${pending}${unacknowledged} GROUP BY 1
            """;
    private static final String FAILED_COUNTS = """
            SELECT ${failed_destination}, count(*), ${all_attempts}, ${most_attempts} FROM ${table} t WHERE ${failed} GROUP BY 1
            """;

    /** The row that was written last, as far as an index tells it. */
    private static final String NEWEST_AGE = """
            SELECT ${age} FROM ${table} t WHERE ${condition} ORDER BY ${newest} DESC LIMIT 1
            """;

    private static final String OTHER_QUEUES = """
            SELECT ${mark}, count(*) FROM ${table} t GROUP BY ${mark} ORDER BY ${mark}
            """;
    private static final String DELETE = "DELETE ${target} FROM ${table} t ${by_primary_key} WHERE ${among}${if_held}";
    private static final String UPDATE =
            "UPDATE ${table} t ${by_primary_key} SET ${sets} WHERE ${among}${pending_still}${if_held}";
    private static final String IF_HELD = """

               AND (SELECT count(*) FROM ${prefix}relay_lease WHERE ${held}) = ${leases}""";
    private static final String LOCK_LEASES = """
            SELECT shard FROM ${prefix}relay_lease WHERE ${held} ORDER BY shard FOR UPDATE
            """;
    private static final String REMOVE_DONE = """
            SELECT ${id} FROM ${table} t WHERE ${condition} ORDER BY ${order} LIMIT ? ${skip_locked}
            """;

    /** So long the relay that this table was made for takes a row it has begun to send for one that is on its way. */
    private static final Duration STARTED_COUNTS = Duration.ofMinutes(10);

    private final Layout layout;
    private final Dialect dialect;
    private final LayoutColumns columns;
    private final RowIds ids;

    public LayoutSql(Layout layout, TableFacts facts, Clock clock) {
        this.layout = layout;
        this.dialect = facts.dialect();
        this.columns = new LayoutColumns(layout, facts, clock);
        this.ids = columns.ids();
    }

    public LayoutColumns columns() {
        return columns;
    }

    public RowIds ids() {
        return ids;
    }

    /** The next rows of a lane; its parameters are those of {@link #laneParameters} and how many. */
    public String claim(boolean somethingWaits, long inline, String free) {
        return sql(CLAIM.replace("${columns}", COLUMNS)
                .replace("${noted_join}", somethingWaits ? NOTED_JOIN : "")
                .replace("${noted}", somethingWaits ? NOTED : "NULL")
                .replace("${unblocked}", (somethingWaits ? UNBLOCKED : "") + notOvertaking())
                .replace("${of_lane}", ofLane())
                .replace("${free}", free)
                .replace("${available}", columns.available())
                .replace("${order}", columns.order())
                .replace("${inline}", String.valueOf(inline)));
    }

    /** How often the destination has to be given to a claim. */
    public int laneParameters() {
        return columns.has(ColumnMeaning.DESTINATION) ? dialect.isMySql() ? 2 : 1 : 0;
    }

    private String ofLane() {
        if (!columns.has(ColumnMeaning.DESTINATION)) {
            return "";
        }
        // MySQL compares as the column's collation says, in which Orders may be orders.
        return " AND " + columns.column(ColumnMeaning.DESTINATION) + " = ?"
                + (dialect.isMySql()
                        ? " AND " + columns.exact(columns.column(ColumnMeaning.DESTINATION)) + " = ?"
                        : "");
    }

    private String notOvertaking() {
        return layout.rowClaims().isPresent() && columns.has(ColumnMeaning.PARTITION_KEY)
                ? NOT_OVERTAKING
                        .replace("${bare_key}", columns.quoted(columns.of(ColumnMeaning.PARTITION_KEY)))
                        .replace("${pending_f}", columns.pending("f"))
                        .replace("${claimed}", columns.quoted(columns.claimColumn()))
                        .replace("${redeliver_limit}", redeliverLimit())
                        .replace("${never}", LayoutColumns.NEVER)
                : "";
    }

    /** Whether another relay has begun to send a row lately. */
    public String anyStarted() {
        return started(sql(ANY_STARTED));
    }

    /** A condition that no other relay has begun to send the row, or one before it in its key. */
    public String notStarted() {
        return started(NOT_STARTED
                .replace("${key_f}", columns.partitionKey().replace("t.", "f."))
                .replace("${pending_f}", columns.pending("f")));
    }

    private String started(String template) {
        Column column = columns.of(ColumnMeaning.STARTED_AT);
        return template.replace("${started}", columns.quoted(column))
                .replace("${started_limit}", columns.since(column, -STARTED_COUNTS.toMillis()));
    }

    public String unclaimed() {
        return " AND t." + columns.quoted(columns.claimColumn()) + " IS NULL";
    }

    public String abandoned() {
        return " AND t." + columns.quoted(columns.claimColumn()) + " < " + redeliverLimit();
    }

    String unclaimedOrAbandoned() {
        return layout.rowClaims().isPresent()
                ? " AND (t." + columns.quoted(columns.claimColumn()) + " IS NULL OR t."
                        + columns.quoted(columns.claimColumn()) + " < " + redeliverLimit() + ")"
                : "";
    }

    private String redeliverLimit() {
        return columns.since(
                columns.claimColumn(),
                -layout.rowClaims().orElseThrow().redeliverTimeout().toMillis());
    }

    public String byId(List<String> wanted, long inline) {
        return sql(BY_ID.replace("${columns}", COLUMNS)
                .replace("${noted_join}", NOTED_JOIN)
                .replace("${noted}", NOTED)
                .replace("${free}", unclaimedOrAbandoned())
                .replace("${among}", ids.among(columns.column(ColumnMeaning.ID), wanted))
                .replace("${inline}", String.valueOf(inline)));
    }

    public String lock(List<String> wanted) {
        return sql(LOCK.replace("${free}", unclaimedOrAbandoned())
                .replace("${among}", ids.among(columns.column(ColumnMeaning.ID), wanted)));
    }

    public String payloads(List<String> wanted) {
        return sql(PAYLOADS.replace("${among}", ids.among(columns.column(ColumnMeaning.ID), wanted)));
    }

    public String lanes() {
        return sql(dialect == Dialect.POSTGRESQL ? LANES_POSTGRESQL : LANES);
    }

    public String counts() {
        return sql(COUNTS.replace("${oldest_age}", columns.oldestAge())
                .replace("${unacknowledged}", columns.unacknowledged()));
    }

    /** How many were refused for the last time and are marked so, by destination. */
    public String failedCounts() {
        boolean counted = columns.has(ColumnMeaning.ATTEMPTS);
        return sql(FAILED_COUNTS
                .replace("${failed_destination}", columns.failedDestination())
                .replace("${all_attempts}", counted ? "SUM(${attempts})" : "0")
                .replace("${most_attempts}", counted ? "MAX(${attempts})" : "0")
                .replace("${failed}", columns.failed() + columns.unacknowledged()));
    }

    /** How many seconds ago the last row was written, if the clocks of all are right. */
    public String newestAge() {
        boolean byId = ids.areNumbers();
        return sql(NEWEST_AGE
                .replace(
                        "${age}",
                        columns.age(columns.of(ColumnMeaning.CREATED_AT), columns.column(ColumnMeaning.CREATED_AT)))
                .replace("${condition}", byId ? "1 = 1" : "${pending}")
                .replace("${newest}", columns.column(byId ? ColumnMeaning.ID : ColumnMeaning.CREATED_AT)));
    }

    /** How many rows each queue has. */
    public String queues(String mark) {
        return sql(OTHER_QUEUES.replace("${mark}", "t." + columns.quoted(columns.named(mark))));
    }

    public String removeOf(List<String> wanted) {
        return changing(DELETE, wanted).replace("${if_held}", "");
    }

    public String removeOf(List<String> wanted, Collection<Lease> leases) {
        return held(changing(DELETE, wanted), leases);
    }

    /** Writes these values to rows that are still pending. */
    public String update(String sets, List<String> wanted) {
        return changing(UPDATE.replace("${sets}", sets), wanted).replace("${if_held}", "");
    }

    public String update(String sets, List<String> wanted, Collection<Lease> leases) {
        return held(changing(UPDATE.replace("${sets}", sets), wanted), leases);
    }

    private String changing(String template, List<String> wanted) {
        return sql(template.replace("${target}", dialect.isMySql() ? "t" : "")
                .replace("${pending_still}", layout.pending().isEmpty() ? "" : " AND " + columns.pending("t"))
                .replace("${among}", ids.among(columns.column(ColumnMeaning.ID), wanted)));
    }

    public String lockLeases(Collection<Lease> leases) {
        return sql(of(leases, LOCK_LEASES));
    }

    private String held(String statement, Collection<Lease> leases) {
        return of(leases, statement.replace("${if_held}", sql(IF_HELD)));
    }

    private static String of(Collection<Lease> leases, String statement) {
        return statement
                .replace("${held}", HeldLeasesSql.are(leases))
                .replace("${leases}", String.valueOf(leases.size()));
    }

    /** Rows that were sent before this many milliseconds from now. */
    public String removable(String doneAt, long millis) {
        return removable(doneBefore(doneAt, millis), "t." + columns.quoted(columns.named(doneAt)));
    }

    /** A condition that a row was sent before this many milliseconds from now. */
    public String doneBefore(String doneAt, long millis) {
        Column column = columns.named(doneAt);
        return "t." + columns.quoted(column) + " < " + columns.now(column, millis);
    }

    public String countWhere(String condition) {
        return sql("SELECT count(*) FROM ${table} t WHERE " + condition);
    }

    /** Rows that others have acknowledged and left there. */
    public String acknowledged() {
        return removable(columns.pending("t") + " AND " + columns.acknowledged(), columns.column(ColumnMeaning.ID));
    }

    private String removable(String condition, String order) {
        return sql(REMOVE_DONE
                .replace("${condition}", condition)
                .replace("${order}", order)
                .replace("${skip_locked}", dialect == Dialect.H2 ? "" : "FOR UPDATE SKIP LOCKED"));
    }

    public String selectIds(List<String> wanted, String condition) {
        return sql("SELECT ${id} FROM ${table} t WHERE " + ids.among(columns.column(ColumnMeaning.ID), wanted) + " AND "
                + condition);
    }

    /** A statement with the names of the table and its columns. */
    public String complete(String template) {
        return sql(template);
    }

    private String sql(String template) {
        return template.replace("${table}", layout.table())
                .replace("${prefix}", layout.prefix())
                .replace("${pending}", columns.pending("t"))
                .replace("${exact_id}", columns.exact(ids.text(columns.column(ColumnMeaning.ID))))
                .replace("${exact_destination}", columns.exact(columns.destination()))
                .replace("${exact_key}", columns.exact(columns.partitionKey()))
                .replace("${id}", ids.text(columns.column(ColumnMeaning.ID)))
                .replace("${position}", columns.position())
                .replace("${destination}", columns.destination())
                .replace("${type}", columns.or(ColumnMeaning.TYPE, "''"))
                .replace("${key}", columns.or(ColumnMeaning.KEY, "''"))
                .replace("${partition_key}", columns.partitionKey())
                .replace("${length}", "OCTET_LENGTH(" + columns.payload() + ")")
                .replace("${payload}", columns.payload())
                .replace("${headers}", columns.headers())
                .replace("${attempts}", columns.or(ColumnMeaning.ATTEMPTS, "0"))
                .replace("${by_primary_key}", columns.isPrimaryKey() ? "FORCE INDEX (PRIMARY)" : "");
    }
}
