package io.waybill.jdbc.layout.table;

import static java.util.stream.Collectors.joining;

import io.waybill.jdbc.layout.table.TableFacts.Column;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.store.outbox.ClaimedMessage;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The columns of one adopted table as SQL says them: read, compared and written. The table is {@code t} in every statement. */
public final class LayoutColumns {

    /** Claims of this day and later never end: Symfony marks with them what it has acknowledged. */
    static final String NEVER = "TIMESTAMP '9999-12-31 00:00:00'";

    private final Layout layout;
    private final TableFacts facts;
    private final Dialect dialect;
    private final RowIds ids;
    private final LocalTimes times;

    public LayoutColumns(Layout layout, TableFacts facts, Clock clock) {
        this.times = new LocalTimes(layout.zone().orElse(ZoneOffset.UTC), clock);
        this.layout = layout;
        this.facts = facts;
        this.dialect = facts.dialect();
        this.ids = new RowIds(facts.column(layout.column(ColumnMeaning.ID)), dialect);
    }

    RowIds ids() {
        return ids;
    }

    public Column named(String name) {
        return facts.column(name);
    }

    public Column of(ColumnMeaning meaning) {
        return facts.column(layout.column(meaning));
    }

    /** Whether something tells in which order rows were inserted. */
    public boolean isOrdered() {
        return has(ColumnMeaning.ORDER) || ids.areNumbers();
    }

    public Column claimColumn() {
        return facts.column(layout.rowClaims().orElseThrow().column());
    }

    /** Values as they are written: {@code column = value, ...}. */
    public String sets(Map<String, String> values) {
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
    public String setParameter(ColumnMeaning meaning) {
        return quoted(of(meaning)) + " = ?";
    }

    public String setTime(ColumnMeaning meaning, long millis) {
        Column column = of(meaning);
        return quoted(column) + " = " + now(column, millis);
    }

    public String setTime(Column column) {
        return quoted(column) + " = " + now(column, 0);
    }

    public String setNull(Column column) {
        return quoted(column) + " = NULL";
    }

    public boolean has(ColumnMeaning meaning) {
        return layout.columns().get(meaning) != null;
    }

    public int size(ColumnMeaning meaning) {
        return of(meaning).size();
    }

    public boolean isBinary(ColumnMeaning meaning) {
        return of(meaning).isBinary();
    }

    /** A condition that the row has been marked as failed. */
    public String failed() {
        return conditions("t", layout.failedRows());
    }

    /** Where a failed row was to go; what failed in PHP, and is in the same queue, is not ours. */
    String failedDestination() {
        return layout.reading() == Layout.Reading.MESSENGER
                ? "CASE WHEN " + failedInPhp() + " THEN 'failed' ELSE " + exact(destination()) + " END"
                : exact(destination());
    }

    /** A condition that a worker of PHP has given the row up: it says so in its stamps, or is in a form that nobody else reads. */
    public String failedInPhp() {
        return "(" + column(ColumnMeaning.HEADERS) + " LIKE '%SentToFailureTransportStamp%' OR "
                + column(ColumnMeaning.PAYLOAD) + " LIKE '%SentToFailureTransportStamp%' OR "
                + column(ColumnMeaning.PAYLOAD) + " LIKE 'Tzo%')";
    }

    public String pending() {
        return pending("t");
    }

    String pending(String alias) {
        return conditions(alias, layout.pending());
    }

    /** Without rows that a worker of Symfony on MariaDB or MySQL has acknowledged: their claim never ends, and they are removed later. */
    public String unacknowledged() {
        return layout.rowClaims().isEmpty()
                ? ""
                : " AND (t." + quoted(claimColumn()) + " IS NULL OR t." + quoted(claimColumn()) + " < " + NEVER + ")";
    }

    public String acknowledged() {
        return "t." + quoted(claimColumn()) + " >= " + NEVER;
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

    public String order() {
        String id = column(ColumnMeaning.ID);
        String order = has(ColumnMeaning.ORDER) ? column(ColumnMeaning.ORDER) : id;
        return order.equals(id) ? id : order + ", " + id;
    }

    String position() {
        boolean number = has(ColumnMeaning.ORDER) ? of(ColumnMeaning.ORDER).isNumber() : ids.areNumbers();
        return number ? column(has(ColumnMeaning.ORDER) ? ColumnMeaning.ORDER : ColumnMeaning.ID) : "0";
    }

    String partitionKey() {
        if (!isOrdered()) {
            return "''";
        }
        if (has(ColumnMeaning.PARTITION_KEY) && has(ColumnMeaning.KEY)) {
            String own = column(ColumnMeaning.PARTITION_KEY);
            String key = column(ColumnMeaning.KEY);
            return own.equals(key)
                    ? own
                    : "CASE WHEN COALESCE(" + own + ", '') = '' THEN " + key + " ELSE " + own + " END";
        }
        return or(has(ColumnMeaning.PARTITION_KEY) ? ColumnMeaning.PARTITION_KEY : ColumnMeaning.KEY, "''");
    }

    String or(ColumnMeaning meaning, String otherwise) {
        return has(meaning) ? column(meaning) : otherwise;
    }

    String payload() {
        return text(ColumnMeaning.PAYLOAD);
    }

    /** The headers, or what is none where they are larger than a message may have. */
    String headers() {
        if (!has(ColumnMeaning.HEADERS)) {
            return "''";
        }
        String headers = text(ColumnMeaning.HEADERS);
        return "CASE WHEN OCTET_LENGTH(" + headers + ") > " + ClaimedMessage.MAX_HEADERS + " THEN '-' ELSE " + headers
                + " END";
    }

    private String text(ColumnMeaning meaning) {
        boolean cast = dialect == Dialect.POSTGRESQL && of(meaning).isJson();
        return column(meaning) + (cast ? "::text" : "");
    }

    /** See {@code PortableOutboxStore}: unless the index is named, MySQL may wait for rows that the statement does not want. */
    boolean isPrimaryKey() {
        String id = layout.column(ColumnMeaning.ID);
        return dialect.isMySql()
                && facts.indexes().getOrDefault("PRIMARY", List.of()).equals(List.of(id));
    }

    String destination() {
        return has(ColumnMeaning.DESTINATION) ? column(ColumnMeaning.DESTINATION) : text(layout.destination());
    }

    public String column(ColumnMeaning meaning) {
        return "t." + quoted(of(meaning));
    }

    public String quoted(Column column) {
        return dialect.isMySql() ? "`" + column.name() + "`" : "\"" + column.name() + "\"";
    }

    /** The text compared by its bytes. */
    String exact(String expression) {
        return dialect.isMySql()
                ? dialect.sql("CONVERT(" + expression + " USING utf8mb4) COLLATE ${collation}", "")
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

    /** The database's time as this column writes it, moved by so many milliseconds. */
    public String now(Column column, long millis) {
        if (tellsZone(column) || times.areUtc()) {
            return utc(column, millis);
        }
        LocalTimes.Moved moved = times.latest(millis);
        return bounded("GREATEST", utc(column, moved.millis()), moved);
    }

    /** The earliest time that the application may have written to this column since so many milliseconds from now. */
    String since(Column column, long millis) {
        if (tellsZone(column) || times.areUtc()) {
            return utc(column, millis);
        }
        LocalTimes.Moved moved = times.earliest(millis);
        return bounded("LEAST", utc(column, moved.millis()), moved);
    }

    private static String bounded(String by, String time, LocalTimes.Moved moved) {
        return moved.bound()
                .map(bound -> by + "(" + time + ", TIMESTAMP '" + bound + "')")
                .orElse(time);
    }

    /** Whether the times of the column are moments, whichever zone its application thinks in. */
    boolean tellsZone(Column column) {
        return dialect.isMySql() ? column.typeName().startsWith("timestamp") : column.isZoned();
    }

    private String utc(Column column, long millis) {
        return switch (dialect) {
            case POSTGRESQL -> {
                String moved = "statement_timestamp() + " + millis + " * interval '1 millisecond'";
                yield column.isZoned() ? "(" + moved + ")" : "((" + moved + ") AT TIME ZONE 'UTC')";
            }
            case MARIADB, MYSQL -> {
                String now = tellsZone(column) ? "CURRENT_TIMESTAMP(6)" : "UTC_TIMESTAMP(6)";
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

    String available() {
        return has(ColumnMeaning.AVAILABLE_AT)
                ? " AND (" + column(ColumnMeaning.AVAILABLE_AT) + " IS NULL OR " + column(ColumnMeaning.AVAILABLE_AT)
                        + " <= " + now(of(ColumnMeaning.AVAILABLE_AT), 0) + ")"
                : "";
    }

    public boolean tellsAges() {
        return has(ColumnMeaning.CREATED_AT) && of(ColumnMeaning.CREATED_AT).isTime();
    }

    /** How many seconds ago the oldest row was written of those that may be sent now; nothing where no column tells. */
    String oldestAge() {
        return tellsAges()
                ? age(
                        of(ColumnMeaning.CREATED_AT),
                        "MIN(CASE WHEN 1 = 1" + available() + " THEN " + column(ColumnMeaning.CREATED_AT) + " END)")
                : noAge();
    }

    public String noAge() {
        return "CAST(NULL AS " + (dialect.isMySql() ? "SIGNED" : "BIGINT") + ")";
    }

    /** How many seconds ago a time of this column was; less than none when it is still to come. */
    public String age(Column column, String written) {
        String now = now(column, 0);
        return switch (dialect) {
            case POSTGRESQL -> "CAST(EXTRACT(EPOCH FROM " + now + " - " + written + ") AS BIGINT)";
            case MARIADB, MYSQL -> "TIMESTAMPDIFF(SECOND, " + written + ", " + now + ")";
            case H2 -> "DATEDIFF(SECOND, " + written + ", " + now + ")";
        };
    }
}
