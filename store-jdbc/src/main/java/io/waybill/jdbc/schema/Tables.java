package io.waybill.jdbc.schema;

import static java.util.stream.Collectors.toCollection;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The tables as they are: found as a statement would find them, whichever schema they are in. */
public final class Tables {

    /** SQLSTATE of an unknown table: PostgreSQL's, and the class of everybody else's. */
    private static final Set<String> NO_SUCH_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

    private final Connection connection;

    public Tables(Connection connection) {
        this.connection = connection;
    }

    /** Whether there is already what the statement would create. */
    public boolean have(SchemaStatement statement) throws SQLException {
        if (statement.table().isPresent()) {
            return missingColumns(statement).isEmpty();
        }
        if (statement.index().isPresent()) {
            var index = statement.index().get();
            return indexes(index.table()).contains(index.name().toLowerCase(Locale.ROOT));
        }
        if (statement.column().isPresent()) {
            var column = statement.column().get();
            return columns(column.table())
                    .map(columns -> columns.containsKey(column.name().toLowerCase(Locale.ROOT)))
                    .orElse(false);
        }
        return false;
    }

    public boolean exists(String table) throws SQLException {
        return columns(table).isPresent();
    }

    /** The columns that the statement would create and its table does not have; all of them when there is no table. */
    public Set<String> missingColumns(SchemaStatement createTable) throws SQLException {
        Set<String> found =
                columns(createTable.table().orElseThrow()).map(Map::keySet).orElse(Set.of());
        return createTable.columns().stream()
                .filter(column -> !found.contains(column))
                .collect(toCollection(TreeSet::new));
    }

    /** The columns of a table with the names of their types, both in lower case; nothing when there is no such table. */
    Optional<Map<String, String>> columns(String table) throws SQLException {
        // On PostgreSQL a failed statement would end the transaction.
        Savepoint before = connection.getAutoCommit() ? null : connection.setSavepoint();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            var columns = new LinkedHashMap<String, String>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                columns.put(
                        rows.getMetaData().getColumnName(i).toLowerCase(Locale.ROOT),
                        rows.getMetaData().getColumnTypeName(i).toLowerCase(Locale.ROOT));
            }
            return Optional.of(columns);
        } catch (SQLException e) {
            if (!isMissing(e)) {
                throw e;
            }
            if (before != null) {
                connection.rollback(before);
            }
            return Optional.empty();
        }
    }

    static boolean isMissing(SQLException e) {
        return e.getSQLState() != null && NO_SUCH_TABLE.contains(e.getSQLState());
    }

    private Set<String> indexes(String table) throws SQLException {
        var names = new HashSet<String>();
        try (ResultSet rows = connection
                .getMetaData()
                .getIndexInfo(connection.getCatalog(), connection.getSchema(), stored(table), false, true)) {
            while (rows.next()) {
                String name = rows.getString("INDEX_NAME");
                if (name != null) {
                    names.add(name.toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }

    /** The columns that every INSERT must give a value. */
    Set<String> demandingColumns(String table) throws SQLException {
        var names = new TreeSet<String>();
        try (ResultSet rows = connection
                .getMetaData()
                .getColumns(connection.getCatalog(), connection.getSchema(), stored(table), null)) {
            while (rows.next()) {
                boolean filled = rows.getString("COLUMN_DEF") != null
                        || "YES".equals(rows.getString("IS_AUTOINCREMENT"))
                        || "YES".equals(rows.getString("IS_GENERATEDCOLUMN"));
                if (!filled && rows.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls) {
                    names.add(rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }

    private String stored(String table) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        if (metaData.storesUpperCaseIdentifiers()) {
            return table.toUpperCase(Locale.ROOT);
        }
        return metaData.storesLowerCaseIdentifiers() ? table.toLowerCase(Locale.ROOT) : table;
    }
}
