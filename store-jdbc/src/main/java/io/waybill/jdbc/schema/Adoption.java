package io.waybill.jdbc.schema;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes over tables that an application made for itself, with all their rows: those of the guide, which know neither keys nor shards. The
 * last statement of an adoption makes the table whole, so one that was interrupted is recognised and finished.
 */
final class Adoption {

    private static final String INBOX = "A002__guide_inbox";

    /** Waybill writes words that the guide does not know, such as HELD and DISCARDED. */
    private static final String CHECKS_ON_STATUS = """
            SELECT c.constraint_name FROM information_schema.check_constraints c
              JOIN information_schema.table_constraints t
                ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name
             WHERE LOWER(t.table_name) = ? AND t.table_schema = ${schema}
               AND LOWER(c.check_clause) LIKE '%status%' AND LOWER(c.check_clause) NOT LIKE '%is not null%'
            """;

    private final Dialect dialect;
    private final String prefix;
    private final List<GuideTable> known;

    Adoption(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.known = GuideTable.of(dialect);
    }

    /**
     * Before anything is changed, so that a table of a later version does not stop an upgrade half-way.
     *
     * @throws WaybillException when a table has the name of one of ours, and is neither ours nor to be taken over
     */
    void refuseWhatIsInTheWay(Connection connection, List<SchemaScript> versions, Set<String> applied)
            throws SQLException {
        var tables = new Tables(connection);
        var foreign = new ArrayList<String>();
        for (var version : versions) {
            if (!applied.contains(version.name())) {
                scripts(connection, version, applied);
                for (var statement : version.statements()) {
                    if (isForeign(tables, statement)) {
                        foreign.add(
                                statement.subject() + " has no " + String.join(", ", tables.missingColumns(statement)));
                    }
                }
            }
        }
        if (!foreign.isEmpty()) {
            throw new WaybillException("There are tables with the names of Waybill's that are not Waybill's:\n- "
                    + String.join("\n- ", foreign)
                    + "\nNothing was changed."
                    + (dialect == Dialect.POSTGRESQL
                            ? ""
                            : " Of the guide's tables only outbox and inbox are taken over on " + dialect
                                    + ", command and process_* on PostgreSQL alone.")
                    + " Rename them, or set a table prefix so that Waybill makes tables of its own.");
        }
    }

    private boolean isForeign(Tables tables, SchemaStatement statement) throws SQLException {
        return statement.table().isPresent()
                && tables.exists(statement.subject())
                && !tables.have(statement)
                && !isAdopted(tables, statement);
    }

    /**
     * What has to be run before this version.
     *
     * @throws WaybillException when there is a table that cannot be taken over
     */
    List<SchemaScript> scripts(Connection connection, SchemaScript version, Set<String> applied) throws SQLException {
        var tables = new Tables(connection);
        var scripts = new ArrayList<SchemaScript>();
        for (var statement : version.statements()) {
            if (isAdopted(tables, statement)) {
                Optional<GuideTable> table = guideTable(statement);
                if (table.isPresent() && !applied.contains(table.get().script())) {
                    refuseIfStrange(connection, table.get(), statement);
                }
                scripts.add(SchemaScript.adoption(table.map(GuideTable::script).orElse(INBOX), dialect, prefix));
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
        return guideTable(statement).isPresent()
                ? !tables.missingColumns(statement).isEmpty()
                : table.equals(prefix + "inbox")
                        && tables.demandingColumns(table).contains("processed_at");
    }

    private Optional<GuideTable> guideTable(SchemaStatement statement) {
        return known.stream()
                .filter(table -> statement.table().orElse("").equals(prefix + table.name()))
                .findFirst();
    }

    private void refuseIfStrange(Connection connection, GuideTable table, SchemaStatement ours) throws SQLException {
        List<String> reasons = strangeColumns(connection, table, ours);
        if (reasons.isEmpty()) {
            reasons = strangeRows(connection, table);
        }
        if (!reasons.isEmpty()) {
            throw new WaybillException("There is a table " + prefix + table.name()
                    + " that Waybill cannot take over:\n- "
                    + String.join("\n- ", reasons)
                    + "\nNothing was changed. Fix this and try again, or rename the table, or set a table prefix so that"
                    + " Waybill creates its own tables.");
        }
    }

    private List<String> strangeColumns(Connection connection, GuideTable table, SchemaStatement ours)
            throws SQLException {
        var tables = new Tables(connection);
        Map<String, String> found = tables.columns(prefix + table.name()).orElseThrow();
        Map<String, Set<String>> wanted = table.columns();
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
        tables.demandingColumns(prefix + table.name()).stream()
                .filter(column -> !wanted.containsKey(column) && !ours.columns().contains(column))
                .forEach(column -> reasons.add("its column " + column + " needs a value that Waybill does not know"));
        return reasons;
    }

    private List<String> strangeRows(Connection connection, GuideTable table) throws SQLException {
        int count = table.reasons().size();
        List<Long> counts = Jdbc.query(connection, dialect.sql(table.strangeRows(), prefix), none -> {}, row -> {
                    var numbers = new ArrayList<Long>();
                    for (int i = 1; i <= count; i++) {
                        numbers.add(row.getLong(i));
                    }
                    return numbers;
                })
                .get(0);
        var reasons = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            if (counts.get(i) > 0) {
                reasons.add(
                        counts.get(i) + " of its rows have " + table.reasons().get(i));
            }
        }
        if (table.name().equals("command")) {
            // Ours has the same statuses.
            return reasons;
        }
        String schema = dialect.isMySql() ? "DATABASE()" : "CURRENT_SCHEMA";
        Jdbc.query(
                        connection,
                        CHECKS_ON_STATUS.replace("${schema}", schema),
                        statement -> statement.setString(1, prefix + table.name()),
                        row -> row.getString(1))
                .forEach(check -> reasons.add("its constraint " + check + " limits the column status"));
        return reasons;
    }
}
