package io.waybill.jdbc.plan;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** A statement that was run, with the parameters it was given. */
record RecordedStatement(String sql, List<Setting> parameters) {

    /** A call of {@code setString(1, "a")} and the like. */
    record Setting(Method method, List<Object> arguments) {}

    /** What an INSERT writes has no plan worth a look. */
    boolean isInsert() {
        return sql.stripLeading().startsWith("INSERT");
    }

    void bind(PreparedStatement statement) throws SQLException {
        for (var parameter : parameters) {
            try {
                parameter.method().invoke(statement, parameter.arguments().toArray());
            } catch (InvocationTargetException | IllegalAccessException e) {
                throw new SQLException("Could not repeat " + parameter.method() + " for " + sql, e);
            }
        }
    }
}
