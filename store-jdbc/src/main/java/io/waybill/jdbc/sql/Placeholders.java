package io.waybill.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;

/** Lists of values in a statement: as many question marks as values. */
public final class Placeholders {

    private Placeholders() {}

    public static String of(Collection<?> values) {
        return String.join(", ", Collections.nCopies(values.size(), "?"));
    }

    /** Runs an update whose only parameters are these ids, at {@code ${ids}}; nothing when there are none. */
    public static int update(Connection connection, String sql, Collection<?> ids) throws SQLException {
        return ids.isEmpty()
                ? 0
                : Jdbc.update(connection, sql.replace("${ids}", of(ids)), statement -> bind(statement, 1, ids));
    }

    /** Sets one parameter per value and gives the index of the next one. */
    public static int bind(PreparedStatement statement, int at, Collection<?> values) throws SQLException {
        int next = at;
        for (Object value : values) {
            statement.setObject(next++, value);
        }
        return next;
    }
}
