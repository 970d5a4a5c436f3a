package io.waybill.jdbc.internal.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** Parameters of statements about many rows. The driver writes arrays of these exact types in binary, which is several times as fast as text. */
public final class PostgresArrays {

    /**
     * As many rows as a plan for any parameters expects of an array. With fewer, a plan of their own seems cheaper, and PostgreSQL
     * makes one at every execution, which takes longer than to claim or settle a few messages.
     */
    private static final int EXPECTED_ROWS = 12;

    private PostgresArrays() {}

    public static <T> Array texts(Connection connection, Collection<T> items, Function<T, String> value)
            throws SQLException {
        return connection.createArrayOf("text", items.stream().map(value).toArray(String[]::new));
    }

    public static <T> Array longs(Connection connection, Collection<T> items, ToLongFunction<T> value)
            throws SQLException {
        var numbers = new Long[items.size()];
        int at = 0;
        for (T item : items) {
            numbers[at++] = value.applyAsLong(item);
        }
        return connection.createArrayOf("int8", numbers);
    }

    public static <T> Array ints(Connection connection, Collection<T> items, ToIntFunction<T> value)
            throws SQLException {
        return connection.createArrayOf(
                "int4", items.stream().mapToInt(value).boxed().toArray(Integer[]::new));
    }

    public static <T> Array ids(Connection connection, Collection<T> items, Function<T, UUID> value)
            throws SQLException {
        return connection.createArrayOf("uuid", items.stream().map(value).toArray());
    }

    public static <T> List<T> filledUp(Collection<T> items, T with) {
        var filledUp = new ArrayList<>(items);
        while (filledUp.size() < EXPECTED_ROWS) {
            filledUp.add(with);
        }
        return filledUp;
    }
}
