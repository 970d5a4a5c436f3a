package io.waybill.jdbc.layout;

import static java.util.stream.Collectors.joining;

import io.waybill.jdbc.Dialect;
import io.waybill.jdbc.layout.TableFacts.Column;
import io.waybill.store.Lease;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The statements of one adopted table: the layout's columns put into a few whole texts. */
final class LayoutSql {

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
    private static final String UNBLOCKED = """

                AND (w.row_id IS NULL OR w.state = 'NOTED')
                AND NOT EXISTS (SELECT 1 FROM ${prefix}relay_waiting k
                                 WHERE k.destination = ${exact_destination} AND k.partition_key = ${exact_key}
                                   AND k.partition_key <> '' AND k.state <> 'NOTED')""";

    /** Keys of which somebody else holds a row: nothing of them may overtake it. */
    private static final String NOT_OVERTAKING = """

                AND (${partition_key} = '' OR ${partition_key} NOT IN (
                    SELECT f.${bare_key} FROM ${table} f
                     WHERE ${pending_f} AND f.${claimed} >= ${redeliver_limit}))""";

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
            SELECT ${exact_destination}, count(*) FROM ${table} t WHERE ${pending} GROUP BY 1
            """;
    private static final String DELETE = "DELETE ${target} FROM ${table} t ${by_primary_key} WHERE ${among}${if_held}";
    private static final String UPDATE =
            "UPDATE ${table} t ${by_primary_key} SET ${sets} WHERE ${among}${pending_still}${if_held}";
    private static final String IF_HELD = """

               AND (SELECT count(*) FROM ${prefix}relay_lease WHERE pool = '${pool}' AND (shard, token) IN (${tokens})) = ${leases}""";
    private static final String LOCK_LEASES = """
            SELECT shard FROM ${prefix}relay_lease WHERE pool = '${pool}' AND (shard, token) IN (${tokens}) ORDER BY shard FOR UPDATE
            """;
    private static final String REMOVE_DONE = """
            SELECT ${id} FROM ${table} t WHERE ${done_at} < ${limit} ORDER BY ${done_at} LIMIT ? ${skip_locked}
            """;

    private final Layout layout;
    private final TableFacts facts;
    private final Dialect dialect;
    private final String prefix;
    private final Ids ids;

    LayoutSql(Layout layout, TableFacts facts) {
        this.layout = layout;
        this.facts = facts;
        this.dialect = facts.dialect();
        this.prefix = layout.prefix();
        this.ids = new Ids(facts.column(layout.column(Meaning.ID)), dialect);
    }

    Ids ids() {
        return ids;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Whether something tells in which order rows were inserted. */
    boolean isOrdered() {
        return has(Meaning.ORDER) || ids.areNumbers();
    }

    /** The next rows of a lane; its parameters are those of {@link #laneParameters} and how many. */
    String claim(boolean somethingWaits, long inline, String free) {
        return sql(CLAIM.replace("${columns}", COLUMNS)
                .replace("${noted_join}", somethingWaits ? NOTED_JOIN : "")
                .replace("${noted}", somethingWaits ? "w.attempts" : "NULL")
                .replace("${unblocked}", (somethingWaits ? UNBLOCKED : "") + notOvertaking())
                .replace("${of_lane}", ofLane())
                .replace("${free}", free)
                .replace("${available}", available())
                .replace("${order}", order())
                .replace("${inline}", String.valueOf(inline)));
    }

    /** How often the destination has to be given to a claim. */
    int laneParameters() {
        return has(Meaning.DESTINATION) ? dialect.isMySql() ? 2 : 1 : 0;
    }

    private String ofLane() {
        if (!has(Meaning.DESTINATION)) {
            return "";
        }
        // MySQL compares as the column's collation says, in which Orders may be orders.
        return " AND " + column(Meaning.DESTINATION) + " = ?"
                + (dialect.isMySql() ? " AND " + exact(column(Meaning.DESTINATION)) + " = ?" : "");
    }

    String available() {
        return has(Meaning.AVAILABLE_AT)
                ? " AND (" + column(Meaning.AVAILABLE_AT) + " IS NULL OR " + column(Meaning.AVAILABLE_AT) + " <= "
                        + now(Meaning.AVAILABLE_AT, 0) + ")"
                : "";
    }

    private String notOvertaking() {
        return layout.rowClaims().isPresent() && has(Meaning.PARTITION_KEY)
                ? NOT_OVERTAKING
                        .replace("${bare_key}", quoted(facts.column(layout.column(Meaning.PARTITION_KEY))))
                        .replace("${pending_f}", pending("f"))
                        .replace("${claimed}", quoted(claimColumn()))
                        .replace("${redeliver_limit}", redeliverLimit())
                : "";
    }

    Column claimColumn() {
        return facts.column(layout.rowClaims().orElseThrow().column());
    }

    String unclaimed() {
        return " AND t." + quoted(claimColumn()) + " IS NULL";
    }

    String abandoned() {
        return " AND t." + quoted(claimColumn()) + " < " + redeliverLimit();
    }

    String unclaimedOrAbandoned() {
        return layout.rowClaims().isPresent()
                ? " AND (t." + quoted(claimColumn()) + " IS NULL OR t." + quoted(claimColumn()) + " < "
                        + redeliverLimit() + ")"
                : "";
    }

    private String redeliverLimit() {
        return now(
                claimColumn(),
                -layout.rowClaims().orElseThrow().redeliverTimeout().toMillis());
    }

    String byId(List<String> wanted, long inline) {
        return sql(BY_ID.replace("${columns}", COLUMNS)
                .replace("${noted_join}", NOTED_JOIN)
                .replace("${noted}", "w.attempts")
                .replace("${free}", unclaimedOrAbandoned())
                .replace("${among}", ids.among(column(Meaning.ID), wanted))
                .replace("${inline}", String.valueOf(inline)));
    }

    String lock(List<String> wanted) {
        return sql(LOCK.replace("${free}", unclaimedOrAbandoned())
                .replace("${among}", ids.among(column(Meaning.ID), wanted)));
    }

    String payloads(List<String> wanted) {
        return sql(PAYLOADS.replace("${among}", ids.among(column(Meaning.ID), wanted)));
    }

    String lanes() {
        return sql(dialect == Dialect.POSTGRESQL ? LANES_POSTGRESQL : LANES);
    }

    String counts() {
        return sql(COUNTS);
    }

    String removeOf(List<String> wanted) {
        return changing(DELETE, wanted).replace("${if_held}", "");
    }

    String removeOf(List<String> wanted, Collection<Lease> leases) {
        return held(changing(DELETE, wanted), leases);
    }

    /** Writes these values to rows that are still pending. */
    String update(String sets, List<String> wanted) {
        return changing(UPDATE.replace("${sets}", sets), wanted).replace("${if_held}", "");
    }

    String update(String sets, List<String> wanted, Collection<Lease> leases) {
        return held(changing(UPDATE.replace("${sets}", sets), wanted), leases);
    }

    private String changing(String template, List<String> wanted) {
        return sql(template.replace("${target}", dialect.isMySql() ? "t" : "")
                .replace("${pending_still}", layout.pending().isEmpty() ? "" : " AND " + pending("t"))
                .replace("${among}", ids.among(column(Meaning.ID), wanted)));
    }

    String lockLeases(Collection<Lease> leases) {
        return sql(of(leases, LOCK_LEASES));
    }

    private String held(String statement, Collection<Lease> leases) {
        return of(leases, statement.replace("${if_held}", sql(IF_HELD)));
    }

    /** The leases of a relay are all of one pool, whose name is made of letters, digits, dots and dashes. */
    private static String of(Collection<Lease> leases, String statement) {
        String tokens = leases.stream()
                .map(lease -> "(" + lease.shard() + ", " + lease.token() + ")")
                .collect(joining(", "));
        return statement
                .replace("${pool}", leases.iterator().next().pool())
                .replace("${tokens}", tokens)
                .replace("${leases}", String.valueOf(leases.size()));
    }

    /** Rows that were sent before this many milliseconds from now. */
    String removable(String doneAt, long millis) {
        Column column = facts.column(doneAt);
        return sql(REMOVE_DONE
                .replace("${done_at}", "t." + quoted(column))
                .replace("${limit}", now(column, millis))
                .replace("${skip_locked}", dialect == Dialect.H2 ? "" : "FOR UPDATE SKIP LOCKED"));
    }

    /** Values as they are written: {@code column = value, ...}. */
    String sets(Map<String, String> values) {
        return new TreeMap<>(values)
                .entrySet().stream()
                        .map(value -> set(facts.column(value.getKey()), value.getValue()))
                        .collect(joining(", "));
    }

    private String set(Column column, String value) {
        String name = quoted(column);
        return switch (value) {
            case Layout.NULL -> name + " = NULL";
            case Layout.NOW -> name + " = " + now(column, 0);
            case Layout.PLUS_ONE -> name + " = " + (dialect == Dialect.POSTGRESQL ? "t." : "") + name + " + 1";
            default -> name + " = " + literal(column, value);
        };
    }

    /** A column to be written with a parameter. */
    String setParameter(Meaning meaning) {
        return quoted(facts.column(layout.column(meaning))) + " = ?";
    }

    String setTime(Meaning meaning, long millis) {
        Column column = facts.column(layout.column(meaning));
        return quoted(column) + " = " + now(column, millis);
    }

    String setTime(Column column) {
        return quoted(column) + " = " + now(column, 0);
    }

    String setNull(Column column) {
        return quoted(column) + " = NULL";
    }

    boolean has(Meaning meaning) {
        return layout.columns().get(meaning) != null;
    }

    int size(Meaning meaning) {
        return facts.column(layout.column(meaning)).size();
    }

    boolean isBinary(Meaning meaning) {
        return facts.column(layout.column(meaning)).isBinary();
    }

    /** A condition that the row has been marked as failed. */
    String failed() {
        return conditions("t", layout.failed());
    }

    String pending() {
        return pending("t");
    }

    String selectIds(List<String> wanted, String condition) {
        return sql("SELECT ${id} FROM ${table} t WHERE " + ids.among(column(Meaning.ID), wanted) + " AND " + condition);
    }

    private String pending(String alias) {
        return conditions(alias, layout.pending());
    }

    private String conditions(String alias, Map<String, String> values) {
        return values.isEmpty()
                ? "1 = 1"
                : new TreeMap<>(values)
                        .entrySet().stream()
                                .map(value -> {
                                    Column column = facts.column(value.getKey());
                                    return alias + "." + quoted(column)
                                            + (value.getValue().equals(Layout.NULL)
                                                    ? " IS NULL"
                                                    : " = " + literal(column, value.getValue()));
                                })
                                .collect(joining(" AND "));
    }

    private String order() {
        String id = column(Meaning.ID);
        String order = has(Meaning.ORDER) ? column(Meaning.ORDER) : id;
        return order.equals(id) ? id : order + ", " + id;
    }

    private String position() {
        boolean number =
                has(Meaning.ORDER) ? facts.column(layout.column(Meaning.ORDER)).isNumber() : ids.areNumbers();
        return number ? column(has(Meaning.ORDER) ? Meaning.ORDER : Meaning.ID) : "0";
    }

    private String partitionKey() {
        if (!isOrdered()) {
            return "''";
        }
        if (has(Meaning.PARTITION_KEY) && has(Meaning.KEY)) {
            String own = column(Meaning.PARTITION_KEY);
            String key = column(Meaning.KEY);
            return own.equals(key)
                    ? own
                    : "CASE WHEN COALESCE(" + own + ", '') = '' THEN " + key + " ELSE " + own + " END";
        }
        return or(has(Meaning.PARTITION_KEY) ? Meaning.PARTITION_KEY : Meaning.KEY, "''");
    }

    private String or(Meaning meaning, String otherwise) {
        return has(meaning) ? column(meaning) : otherwise;
    }

    private String payload() {
        String column = column(Meaning.PAYLOAD);
        return dialect == Dialect.POSTGRESQL
                        && facts.column(layout.column(Meaning.PAYLOAD)).isJson()
                ? column + "::text"
                : column;
    }

    private String sql(String template) {
        return template.replace("${table}", layout.table())
                .replace("${prefix}", prefix)
                .replace("${pending}", pending("t"))
                .replace("${exact_id}", exact(ids.text(column(Meaning.ID))))
                .replace("${exact_destination}", exact(destination()))
                .replace("${exact_key}", exact(partitionKey()))
                .replace("${id}", ids.text(column(Meaning.ID)))
                .replace("${position}", position())
                .replace("${destination}", destination())
                .replace("${type}", or(Meaning.TYPE, "''"))
                .replace("${key}", or(Meaning.KEY, "''"))
                .replace("${partition_key}", partitionKey())
                .replace("${length}", "OCTET_LENGTH(" + payload() + ")")
                .replace("${payload}", payload())
                .replace("${headers}", or(Meaning.HEADERS, "''"))
                .replace("${attempts}", or(Meaning.ATTEMPTS, "0"))
                .replace("${by_primary_key}", isPrimaryKey() ? "FORCE INDEX (PRIMARY)" : "");
    }

    /** See {@code PortableOutboxStore}: unless MySQL is told the index, it may wait for rows that it does not want. */
    private boolean isPrimaryKey() {
        String id = layout.column(Meaning.ID);
        return dialect.isMySql()
                && facts.indexes().getOrDefault("PRIMARY", List.of()).equals(List.of(id));
    }

    private String destination() {
        return has(Meaning.DESTINATION) ? column(Meaning.DESTINATION) : text(layout.destination());
    }

    private String column(Meaning meaning) {
        return "t." + quoted(facts.column(layout.column(meaning)));
    }

    private String quoted(Column column) {
        return dialect.isMySql() ? "`" + column.name() + "`" : "\"" + column.name() + "\"";
    }

    /** The text compared by its bytes. */
    private String exact(String expression) {
        return dialect.isMySql()
                ? dialect.sql("CONVERT(" + expression + " USING utf8mb4) COLLATE ${collation}", prefix)
                : dialect == Dialect.POSTGRESQL ? "CAST(" + expression + " AS VARCHAR)" : expression;
    }

    private String literal(Column column, String value) {
        return column.isNumber() ? String.valueOf(Long.parseLong(value)) : text(value);
    }

    /** Values come from a layout, never from a row; what could end the text is doubled all the same. */
    private String text(String value) {
        String doubled = value.replace("'", "''");
        return "'" + (dialect.isMySql() ? doubled.replace("\\", "\\\\") : doubled) + "'";
    }

    private String now(Meaning meaning, long millis) {
        return now(facts.column(layout.column(meaning)), millis);
    }

    /** The database's time as this column writes it, moved by so many milliseconds. */
    String now(Column column, long millis) {
        return switch (dialect) {
            case POSTGRESQL -> {
                String moved = "statement_timestamp() + " + millis + " * interval '1 millisecond'";
                yield column.isZoned() ? "(" + moved + ")" : "((" + moved + ") AT TIME ZONE 'UTC')";
            }
            case MARIADB, MYSQL -> {
                String now = column.typeName().startsWith("timestamp") ? "CURRENT_TIMESTAMP(6)" : "UTC_TIMESTAMP(6)";
                yield "(" + now + " + INTERVAL " + millis * 1000 + " MICROSECOND)";
            }
            case H2 -> {
                String now = column.isZoned()
                        ? "CURRENT_TIMESTAMP"
                        : "CAST(CURRENT_TIMESTAMP AT TIME ZONE 'UTC' AS TIMESTAMP)";
                yield "DATEADD(MILLISECOND, " + millis + ", " + now + ")";
            }
        };
    }
}
