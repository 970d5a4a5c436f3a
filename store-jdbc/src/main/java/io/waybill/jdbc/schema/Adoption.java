package io.waybill.jdbc.schema;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes over an outbox and an inbox that an application made for itself, with all their rows: the tables of the guide, which
 * know neither keys nor shards. The last statement of an adoption makes the table whole, so one that was interrupted is
 * recognised and finished.
 */
final class Adoption {

    private static final String OUTBOX = "A001__guide_outbox";
    private static final String INBOX = "A002__guide_inbox";

    private static final Set<String> TEXT = Set.of(
            "varchar",
            "text",
            "bpchar",
            "char",
            "character",
            "character varying",
            "character large object",
            "mediumtext",
            "longtext",
            "enum");
    private static final Set<String> NUMBER =
            Set.of("int2", "int4", "int8", "smallint", "int", "integer", "bigint", "tinyint");
    private static final Set<String> TIME = Set.of("timestamp", "timestamptz", "timestamp with time zone", "datetime");

    /** Rows that would be neither sent nor left alone as they are meant to be. */
    private static final String STRANGE_ROWS = """
            SELECT COALESCE(SUM(CASE WHEN status IN ('PENDING', 'DISPATCHED', 'FAILED') THEN 0 ELSE 1 END), 0),
                   COALESCE(SUM(CASE WHEN LOWER(category) IN ('command', 'reply', 'event') THEN 0 ELSE 1 END), 0),
                   COALESCE(SUM(CASE WHEN CHAR_LENGTH(destination) BETWEEN 1 AND 255 THEN 0 ELSE 1 END), 0),
                   COALESCE(SUM(CASE WHEN payload IS NULL OR created_at IS NULL THEN 1 ELSE 0 END), 0)
              FROM ${prefix}outbox
            """;

    private static final List<String> STRANGENESS = List.of(
            "a status other than PENDING, DISPATCHED and FAILED",
            "a category other than command, reply and event",
            "a destination that is empty or longer than 255 characters",
            "no payload or no created_at");

    /** Waybill also writes HELD and DISCARDED. */
    private static final String CHECKS_ON_STATUS = """
            SELECT c.constraint_name FROM information_schema.check_constraints c
              JOIN information_schema.table_constraints t
                ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name
             WHERE LOWER(t.table_name) = ? AND t.table_schema = ${schema}
               AND LOWER(c.check_clause) LIKE '%status%' AND LOWER(c.check_clause) NOT LIKE '%is not null%'
            """;

    private final Dialect dialect;
    private final String prefix;

    Adoption(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /**
     * What has to be run before this version.
     *
     * @throws WaybillException when there is an outbox that cannot be taken over
     */
    List<SchemaScript> scripts(Connection connection, SchemaScript version, Set<String> applied) throws SQLException {
        var tables = new Tables(connection);
        var scripts = new ArrayList<SchemaScript>();
        for (var statement : version.statements()) {
            if (isAdopted(tables, statement)) {
                if (isOutbox(statement) && !applied.contains(OUTBOX)) {
                    refuseIfStrange(connection, statement);
                }
                scripts.add(SchemaScript.adoption(isOutbox(statement) ? OUTBOX : INBOX, dialect, prefix));
            }
        }
        return scripts;
    }

    /** Whether the statement would create a table that is there in the guide's shape. */
    boolean isAdopted(Tables tables, SchemaStatement statement) throws SQLException {
        String table = statement.table().orElse("");
        if (table.isEmpty() || !tables.exists(table)) {
            return false;
        }
        return isOutbox(statement)
                ? !tables.missingColumns(statement).isEmpty()
                : table.equals(prefix + "inbox")
                        && tables.demandingColumns(table).contains("processed_at");
    }

    private boolean isOutbox(SchemaStatement statement) {
        return statement.table().orElse("").equals(prefix + "outbox");
    }

    private void refuseIfStrange(Connection connection, SchemaStatement ours) throws SQLException {
        List<String> reasons = strangeColumns(connection, ours);
        if (reasons.isEmpty()) {
            reasons = strangeRows(connection);
        }
        if (!reasons.isEmpty()) {
            throw new WaybillException("There is a table " + prefix + "outbox that Waybill cannot take over:\n- "
                    + String.join("\n- ", reasons)
                    + "\nNothing was changed. Mend this and try again, or rename the table, or set a table prefix so that"
                    + " Waybill makes tables of its own.");
        }
    }

    private List<String> strangeColumns(Connection connection, SchemaStatement ours) throws SQLException {
        var tables = new Tables(connection);
        Map<String, String> found = tables.columns(prefix + "outbox").orElseThrow();
        Map<String, Set<String>> wanted = guideColumns();
        var reasons = new ArrayList<String>();
        wanted.forEach((column, types) -> {
            String type = found.get(column);
            if (type == null) {
                reasons.add("it has no column " + column);
            } else if (!types.contains(type)) {
                reasons.add("the type of column " + column + " is " + type + ", not " + new TreeSet<>(types));
            }
        });
        ours.columns().stream()
                .filter(column -> !wanted.containsKey(column) && found.containsKey(column))
                .forEach(column -> reasons.add("its column " + column + " means something else to Waybill"));
        tables.demandingColumns(prefix + "outbox").stream()
                .filter(column -> !wanted.containsKey(column) && !ours.columns().contains(column))
                .forEach(column -> reasons.add("its column " + column + " needs a value that Waybill does not know"));
        return reasons;
    }

    private Map<String, Set<String>> guideColumns() {
        var columns = new LinkedHashMap<String, Set<String>>();
        columns.put("outbox_id", dialect.isMySql() ? Set.of("uuid", "char", "varchar") : Set.of("uuid"));
        columns.put("category", TEXT);
        columns.put("destination", TEXT);
        columns.put("payload", TEXT);
        columns.put("status", TEXT);
        columns.put("retry_count", NUMBER);
        columns.put("created_at", TIME);
        return columns;
    }

    private List<String> strangeRows(Connection connection) throws SQLException {
        var reasons = new ArrayList<String>();
        List<Long> counts = Jdbc.query(
                        connection,
                        dialect.sql(STRANGE_ROWS, prefix),
                        none -> {},
                        row -> List.of(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)))
                .get(0);
        for (int i = 0; i < counts.size(); i++) {
            if (counts.get(i) > 0) {
                reasons.add(counts.get(i) + " of its rows have " + STRANGENESS.get(i));
            }
        }
        String schema = dialect.isMySql() ? "DATABASE()" : "CURRENT_SCHEMA";
        Jdbc.query(
                        connection,
                        CHECKS_ON_STATUS.replace("${schema}", schema),
                        statement -> statement.setString(1, prefix + "outbox"),
                        row -> row.getString(1))
                .forEach(check -> reasons.add("its constraint " + check + " limits the column status"));
        return reasons;
    }
}
