package io.waybill.jdbc.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.sql.DataSource;

/** Every table of a database with its columns and indexes, in words that can be compared. */
final class Snapshot {

    private Snapshot() {}

    static SortedSet<String> of(DataSource dataSource) throws SQLException {
        var found = new TreeSet<String>();
        try (Connection connection = dataSource.getConnection()) {
            for (String table : tables(connection)) {
                addColumns(connection, table, found);
                addIndexes(connection, table, found);
            }
        }
        return found;
    }

    /** Without those that only remember what was applied. */
    static List<String> tables(Connection connection) throws SQLException {
        var tables = new ArrayList<String>();
        try (ResultSet rows = connection
                .getMetaData()
                .getTables(
                        connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (rows.next()) {
                String name = rows.getString("TABLE_NAME");
                if (!name.toLowerCase(Locale.ROOT).matches(".*(waybill_schema|flyway.*)")) {
                    tables.add(name);
                }
            }
        }
        return tables;
    }

    private static void addColumns(Connection connection, String table, SortedSet<String> found) throws SQLException {
        try (ResultSet rows =
                connection.getMetaData().getColumns(connection.getCatalog(), connection.getSchema(), table, "%")) {
            while (rows.next()) {
                found.add(table + "." + rows.getString("COLUMN_NAME") + " " + rows.getString("TYPE_NAME") + "("
                        + rows.getInt("COLUMN_SIZE") + ") nullable " + rows.getString("IS_NULLABLE") + " default "
                        + rows.getString("COLUMN_DEF"));
            }
        }
    }

    private static void addIndexes(Connection connection, String table, SortedSet<String> found) throws SQLException {
        try (ResultSet rows = connection
                .getMetaData()
                .getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                if (index != null) {
                    // H2 makes up names for keys, with a number at the end.
                    found.add(
                            table + " index " + index.replaceAll("(PRIMARY_KEY|CONSTRAINT)_[0-9A-F_]+(INDEX.*)?$", "$1")
                                    + " " + rows.getShort("ORDINAL_POSITION") + " " + rows.getString("COLUMN_NAME"));
                }
            }
        }
    }
}
