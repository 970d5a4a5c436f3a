package io.waybill.jdbc.sql;

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

    /** Sets one parameter per value and gives the index of the next one. */
    public static int bind(PreparedStatement statement, int at, Collection<?> values) throws SQLException {
        int next = at;
        for (Object value : values) {
            statement.setObject(next++, value);
        }
        return next;
    }
}
