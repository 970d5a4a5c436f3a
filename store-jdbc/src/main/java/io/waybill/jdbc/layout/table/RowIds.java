package io.waybill.jdbc.layout.table;

import static java.util.stream.Collectors.joining;

import io.waybill.jdbc.layout.table.TableFacts.Column;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** The ids of rows: text in our hands, whatever the column is. */
public final class RowIds {

    private final Column column;
    private final Dialect dialect;

    RowIds(Column column, Dialect dialect) {
        this.column = column;
        this.dialect = dialect;
    }

    public boolean areNumbers() {
        return column.isNumber();
    }

    /** The id of a row as text. */
    String text(String expression) {
        if (column.isBinary()) {
            return switch (dialect) {
                case POSTGRESQL -> "encode(" + expression + ", 'hex')";
                case MARIADB, MYSQL -> "LOWER(HEX(" + expression + "))";
                case H2 -> "LOWER(RAWTOHEX(" + expression + "))";
            };
        }
        return "CAST(" + expression + " AS " + (dialect.isMySql() ? "CHAR" : "VARCHAR") + ")";
    }

    /** A condition that the id is one of these; {@link #bind} gives its values. */
    public String among(String expression, List<String> ids) {
        if (dialect == Dialect.POSTGRESQL && !column.isBinary()) {
            return expression + " = ANY (?)";
        }
        return column.isNumber()
                ? expression + " IN ("
                        + ids.stream()
                                .map(id -> String.valueOf(Long.parseLong(id)))
                                .collect(joining(", ")) + ")"
                : expression + " IN (" + Placeholders.of(ids) + ")";
    }

    /** Sets the values of {@link #among}; returns the next parameter. */
    public int bind(PreparedStatement statement, int at, List<String> ids) throws SQLException {
        if (dialect == Dialect.POSTGRESQL && !column.isBinary()) {
            statement.setArray(at, array(statement.getConnection(), ids));
            return at + 1;
        }
        if (column.isNumber()) {
            return at;
        }
        int next = at;
        for (String id : ids) {
            if (column.isBinary()) {
                statement.setBytes(next++, HexFormat.of().parseHex(id));
            } else {
                statement.setObject(next++, column.isUuid() && dialect != Dialect.MARIADB ? UUID.fromString(id) : id);
            }
        }
        return next;
    }

    /** Binds nothing but the ids. */
    public Jdbc.Binder binder(List<String> ids) {
        return statement -> bind(statement, 1, ids);
    }

    private java.sql.Array array(Connection connection, List<String> ids) throws SQLException {
        if (column.isNumber()) {
            return connection.createArrayOf(
                    "int8", ids.stream().map(Long::valueOf).toArray(Long[]::new));
        }
        if (column.isUuid()) {
            return connection.createArrayOf(
                    "uuid", ids.stream().map(UUID::fromString).toArray());
        }
        return connection.createArrayOf(
                column.typeName().equals("bpchar") ? "bpchar" : "text", ids.toArray(String[]::new));
    }
}
