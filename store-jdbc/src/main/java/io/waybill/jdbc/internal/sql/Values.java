package io.waybill.jdbc.internal.sql;

import io.waybill.jdbc.sql.Dialect;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters, in their order: texts, numbers, ids, moments. */
public final class Values {

    private final List<@Nullable Object> values = new ArrayList<>();

    /** One more; of something that has a name, that is the value. */
    public Values and(@Nullable Object value) {
        values.add(value instanceof Enum<?> named ? named.name() : value);
        return this;
    }

    public Values and(Values more) {
        values.addAll(more.values);
        return this;
    }

    int size() {
        return values.size();
    }

    /** Sets the parameters from this one on, and returns the next. */
    public int bind(Dialect dialect, PreparedStatement statement, int from) throws SQLException {
        int at = from;
        for (@Nullable Object value : values) {
            if (value == null) {
                statement.setNull(at++, Types.NULL);
            } else if (value instanceof Instant moment) {
                dialect.bind(statement, at++, moment);
            } else {
                statement.setObject(at++, value);
            }
        }
        return at;
    }
}
