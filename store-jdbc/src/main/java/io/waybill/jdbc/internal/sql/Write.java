package io.waybill.jdbc.internal.sql;

import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its parameters.
 *
 * @param rows how the same is said for any number of rows
 * @param otherwise what to throw when it does not write one row; nothing when it need not
 */
public record Write(
        String sql,
        Binder binder,
        RowStatement rows,
        @Nullable Supplier<RuntimeException> otherwise) {

    /** Sets the parameters from this one on, and returns the next. */
    @FunctionalInterface
    public interface Binder {
        int bind(PreparedStatement statement, int from) throws SQLException;
    }

    /** One INSERT for all of these rows. */
    static Write together(List<Write> rows) {
        Write first = rows.get(0);
        if (rows.size() == 1) {
            return first;
        }
        Binder all = (statement, from) -> {
            int next = from;
            for (Write row : rows) {
                next = row.binder.bind(statement, next);
            }
            return next;
        };
        return new Write(first.rows.of(rows.size()), all, first.rows, first.otherwise);
    }

    void run(Connection connection) throws SQLException {
        check(Jdbc.update(connection, sql, statement -> binder.bind(statement, 1)));
    }

    /** Whether they may go as a batch, of which not every database says how many rows each has written. */
    boolean isLike(Write other) {
        return sql.equals(other.sql) && otherwise == null && other.otherwise == null;
    }

    boolean isChecked() {
        return otherwise != null;
    }

    void check(int written) {
        if (otherwise != null && written != 1) {
            throw otherwise.get();
        }
    }
}
