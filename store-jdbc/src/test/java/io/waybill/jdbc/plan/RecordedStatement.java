package io.waybill.jdbc.plan;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A statement that was run, with the parameters it was given. */
record RecordedStatement(String sql, List<Setting> parameters) {

    /** A call of {@code setString(1, "a")} and the like. */
    record Setting(Method method, List<Object> arguments) {

        int index() {
            return (int) arguments.get(0);
        }

        Setting movedBy(int places) {
            var moved = new ArrayList<>(arguments);
            moved.set(0, index() + places);
            return new Setting(method, moved);
        }
    }

    /** The statements of a text in which several are sent at once. */
    static List<RecordedStatement> parts(String text, List<Setting> parameters) {
        var parts = new ArrayList<RecordedStatement>();
        int first = 1;
        for (String sql : text.split(";\n", -1)) {
            if (sql.isBlank()) {
                continue;
            }
            int from = first;
            int to = from
                    + (int) sql.chars().filter(character -> character == '?').count();
            parts.add(new RecordedStatement(
                    sql,
                    parameters.stream()
                            .filter(setting -> setting.index() >= from && setting.index() < to)
                            .map(setting -> setting.movedBy(1 - from))
                            .toList()));
            first = to;
        }
        return parts;
    }

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
