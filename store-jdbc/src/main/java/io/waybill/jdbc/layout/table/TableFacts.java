package io.waybill.jdbc.layout.table;

import io.waybill.jdbc.schema.Tables;
import io.waybill.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A table as it really is.
 *
 * @param columns by their names in lower case
 * @param indexes the columns of each by its name, in lower case and in their order
 */
public record TableFacts(
        String table, Dialect dialect, Map<String, Column> columns, Map<String, List<String>> indexes) {

    /**
     * A column.
     *
     * @param name as the database spells it
     * @param typeName what the database calls its type, in lower case
     * @param size how many characters it holds, where it holds characters
     */
    public record Column(String name, int type, String typeName, int size) {

        public boolean isNumber() {
            return switch (type) {
                case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DECIMAL -> true;
                case Types.BIT, Types.BOOLEAN -> typeName.startsWith("tinyint");
                default -> false;
            };
        }

        public boolean isTime() {
            return type == Types.TIMESTAMP || type == Types.TIMESTAMP_WITH_TIMEZONE;
        }

        public boolean isBinary() {
            return switch (type) {
                case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> true;
                default -> false;
            };
        }

        boolean isUuid() {
            return typeName.equals("uuid");
        }

        boolean isJson() {
            return typeName.startsWith("json");
        }

        public boolean isText() {
            return switch (type) {
                case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.CLOB, Types.NCHAR, Types.NVARCHAR -> true;
                default -> isUuid() || isJson();
            };
        }

        /** Whether its times are moments of their own, or need to be told their zone: UTC then. */
        boolean isZoned() {
            return typeName.equals("timestamptz") || typeName.contains("with time zone");
        }
    }

    /** Looks at the table; nothing when there is none, or none that this user may read. */
    public static Optional<TableFacts> of(Connection connection, String table, Dialect dialect) throws SQLException {
        if (!new Tables(connection).exists(table)) {
            return Optional.empty();
        }
        var columns = new LinkedHashMap<String, Column>();
        try (var statement = connection.createStatement();
                ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            ResultSetMetaData meta = none.getMetaData();
            for (int i = 1; i <= meta.getColumnCount(); i++) {
                String name = meta.getColumnName(i);
                columns.put(
                        name.toLowerCase(Locale.ROOT),
                        new Column(
                                name,
                                meta.getColumnType(i),
                                meta.getColumnTypeName(i).toLowerCase(Locale.ROOT),
                                meta.getPrecision(i)));
            }
        }
        return Optional.of(new TableFacts(table, dialect, columns, indexes(connection, table, columns.keySet())));
    }

    private static Map<String, List<String>> indexes(Connection connection, String table, Set<String> columns)
            throws SQLException {
        String schema = table.contains(".") ? table.substring(0, table.indexOf('.')) : null;
        String name = table.substring(table.indexOf('.') + 1);
        var meta = connection.getMetaData();
        boolean upper = meta.storesUpperCaseIdentifiers();
        String catalog = schema != null && meta.getDatabaseProductName().matches("(?i)mysql|mariadb")
                ? schema
                : connection.getCatalog();
        Map<String, List<String>> byName = new LinkedHashMap<>();
        try (ResultSet rows = meta.getIndexInfo(
                catalog,
                schema == null ? connection.getSchema() : stored(schema, upper),
                stored(name, upper),
                false,
                true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (index != null && column != null) {
                    byName.computeIfAbsent(index, none -> conditions(rows, columns))
                            .add(column.replace("\"", "").toLowerCase(Locale.ROOT));
                }
            }
        }
        return byName;
    }

    /** A partial index finds rows by its condition first. */
    private static List<String> conditions(ResultSet row, Set<String> columns) {
        try {
            String condition = row.getString("FILTER_CONDITION");
            return condition == null
                    ? new ArrayList<>()
                    : new ArrayList<>(columns.stream()
                            .filter(column -> condition.matches("(?is).*\\b" + column + "\\b.*"))
                            .toList());
        } catch (SQLException e) {
            return new ArrayList<>();
        }
    }

    private static String stored(String name, boolean upper) {
        return upper ? name.toUpperCase(Locale.ROOT) : name;
    }

    public boolean has(String column) {
        return columns.containsKey(column.toLowerCase(Locale.ROOT));
    }

    public Column column(String name) {
        Column column = columns.get(name.toLowerCase(Locale.ROOT));
        if (column == null) {
            throw new IllegalStateException("The table " + table + " has no column " + name + ".");
        }
        return column;
    }
}
