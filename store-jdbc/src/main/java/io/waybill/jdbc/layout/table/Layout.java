package io.waybill.jdbc.layout.table;

import io.waybill.WaybillException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How a table that somebody else designed is an outbox: which column means what, which rows are to be sent, and what becomes of
 * them. It is data; one store serves all layouts.
 *
 * @param name as in {@code --layout}
 * @param table its name, with its schema where that is not the connection's own
 * @param columns which column means what
 * @param optional columns that a table of this layout may lack
 * @param destination where messages go when no column says it; else empty
 * @param pending what a row to be sent looks like: column and value, {@link #NULL} where it is empty
 * @param done what is written when it was sent: column and value, {@link #NOW} or {@link #PLUS_ONE}; nothing removes the row
 * @param failed what is written when it was refused for the last time; nothing leaves the row as it is
 * @param rowClaims how a row is claimed where others take rows of the table too
 * @param reading how headers and payload are read
 * @param types what the class of a message is called outside of its application, where the message does not say it
 * @param zone in which times are written whose column does not say it; nothing for what is usual: UTC, or the database's own zone
 */
public record Layout(
        String name,
        String table,
        Map<ColumnMeaning, String> columns,
        Set<ColumnMeaning> optional,
        String destination,
        Map<String, String> pending,
        Map<String, String> done,
        Map<String, String> failed,
        Optional<RowClaim> rowClaims,
        Reading reading,
        Map<String, String> types,
        Optional<ZoneId> zone) {

    /** A layout with the usual zone, whose messages have the names that they say. */
    public Layout(
            String name,
            String table,
            Map<ColumnMeaning, String> columns,
            Set<ColumnMeaning> optional,
            String destination,
            Map<String, String> pending,
            Map<String, String> done,
            Map<String, String> failed,
            Optional<RowClaim> rowClaims,
            Reading reading) {
        this(
                name,
                table,
                columns,
                optional,
                destination,
                pending,
                done,
                failed,
                rowClaims,
                reading,
                Map.of(),
                Optional.empty());
    }

    /** An empty column. */
    public static final String NULL = "null";

    /** The time of the database. */
    public static final String NOW = "now()";

    /** One more than before. */
    public static final String PLUS_ONE = "+1";

    private static final Pattern TABLE = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*\\.)?[A-Za-z_][A-Za-z0-9_]*");

    public Layout {
        columns = Map.copyOf(columns);
        optional = Set.copyOf(optional);
        pending = Map.copyOf(pending);
        done = Map.copyOf(done);
        failed = Map.copyOf(failed);
        types = Map.copyOf(types);
        if (!TABLE.matcher(table).matches()) {
            throw new WaybillException(
                    "'" + table + "' is not the name of a table: letters, digits and underscores, with a"
                            + " schema before it where that is needed, as in shop.outbox.");
        }
        if (columns.get(ColumnMeaning.ID) == null || columns.get(ColumnMeaning.PAYLOAD) == null) {
            throw new WaybillException("A layout needs at least a column for 'id' and one for 'payload'; '" + name
                    + "' has " + columns + ".");
        }
        if (columns.get(ColumnMeaning.DESTINATION) == null && destination.isBlank()) {
            throw new WaybillException("The layout '" + name
                    + "' does not say where its messages go: map a column as 'destination', or give"
                    + " one name for all of them.");
        }
        if (!done.isEmpty() && pending.keySet().stream().noneMatch(done::containsKey)) {
            throw new WaybillException("The layout '" + name + "' marks a row as done by " + done.keySet()
                    + ", but a row counts as pending by " + pending.keySet()
                    + ": it would be sent again and again. Give both the same column.");
        }
    }

    /** How headers and payload are read. */
    public enum Reading {
        /** Headers are a flat JSON object. */
        PLAIN,
        /** As PHP's Symfony Messenger writes them: the name and the id of the message are among the headers. */
        MESSENGER
    }

    /**
     * A claim that is written to the row, where workers of others see it.
     *
     * @param column when the row was claimed; empty when it is free
     * @param redeliverTimeout after which the claim counts no more
     */
    public record RowClaim(String column, Duration redeliverTimeout) {

        public RowClaim {
            if (redeliverTimeout.compareTo(Duration.ofSeconds(3)) < 0) {
                throw new WaybillException("redeliver_timeout (" + redeliverTimeout.toSeconds()
                        + " s) must be at least 3 seconds: claims are kept alive every third of it, and the column counts whole"
                        + " seconds.");
            }
        }
    }

    /** The same for a table of another name. */
    public Layout withTable(String other) {
        return new Layout(
                name, other, columns, optional, destination, pending, done, failed, rowClaims, reading, types, zone);
    }

    /** The same with messages that all go there. */
    public Layout withDestination(String other) {
        Map<ColumnMeaning, String> left = columnsWithout(ColumnMeaning.DESTINATION::equals);
        return new Layout(name, table, left, optional, other, pending, done, failed, rowClaims, reading, types, zone);
    }

    /** The same for an application that writes times of this zone. */
    public Layout withZone(ZoneId other) {
        return new Layout(
                name,
                table,
                columns,
                optional,
                destination,
                pending,
                done,
                failed,
                rowClaims,
                reading,
                types,
                Optional.of(other));
    }

    /** The same with names for classes of messages. */
    public Layout withTypes(Map<String, String> other) {
        return new Layout(
                name, table, columns, optional, destination, pending, done, failed, rowClaims, reading, other, zone);
    }

    /** The same for a table that lacks these columns. */
    public Layout without(Predicate<ColumnMeaning> lacking) {
        Map<ColumnMeaning, String> left = columnsWithout(lacking);
        return new Layout(
                name, table, left, optional, destination, pending, done, failed, rowClaims, reading, types, zone);
    }

    /** The same for a table that may lack all but these columns, and every mark. */
    public Layout only(Set<ColumnMeaning> meanings) {
        Map<ColumnMeaning, String> left = columnsWithout(meaning -> !meanings.contains(meaning));
        return new Layout(
                name,
                table,
                left,
                optional,
                destination,
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                reading,
                types,
                zone);
    }

    /** The same for a table in which this column tells the order too. */
    public Layout orderedBy(ColumnMeaning meaning) {
        Map<ColumnMeaning, String> ordered = columnsWithout(ColumnMeaning.ORDER::equals);
        ordered.put(ColumnMeaning.ORDER, column(meaning));
        return new Layout(
                name, table, ordered, optional, destination, pending, done, failed, rowClaims, reading, types, zone);
    }

    private Map<ColumnMeaning, String> columnsWithout(Predicate<ColumnMeaning> lacking) {
        Map<ColumnMeaning, String> left = new EnumMap<>(ColumnMeaning.class);
        left.putAll(columns);
        left.keySet().removeIf(lacking);
        return left;
    }

    /** The column that means this; empty when there is none. */
    public String column(ColumnMeaning meaning) {
        return columns.getOrDefault(meaning, "");
    }

    /** The columns by which a row of this layout is recognised. */
    public Map<ColumnMeaning, String> required() {
        Map<ColumnMeaning, String> required = new EnumMap<>(ColumnMeaning.class);
        columns.forEach((meaning, column) -> {
            if (!optional.contains(meaning)) {
                required.put(meaning, column);
            }
        });
        return required;
    }

    /** What a row looks like that was refused for the last time; nothing when that is not written to it. */
    Map<String, String> failedRows() {
        Map<String, String> rows = new LinkedHashMap<>(failed.isEmpty() ? Map.of() : pending);
        rows.putAll(failed);
        return rows;
    }

    /** The columns that marks are written to or read from, in no particular order. */
    public Map<String, String> marks() {
        Map<String, String> marks = new LinkedHashMap<>(pending);
        marks.putAll(done);
        marks.putAll(failed);
        return marks;
    }

    /** Stands before the names of the tables that relays keep beside this one. */
    public String prefix() {
        String whole = table.substring(table.indexOf('.') + 1) + (rowClaims.isPresent() ? "_" + destination : "");
        String plain = whole.replaceAll("[^A-Za-z0-9_]", "_").toLowerCase(Locale.ROOT);
        return plain.length() < 30 && plain.equals(whole)
                ? plain + "_"
                : plain.substring(0, Math.min(20, plain.length())) + "_"
                        + HexFormat.of().toHexDigits(whole.hashCode()) + "_";
    }
}
