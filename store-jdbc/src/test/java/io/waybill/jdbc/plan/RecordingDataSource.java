package io.waybill.jdbc.plan;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Remembers every distinct statement that is run through it, as it was run first. */
final class RecordingDataSource {

    private final Map<String, RecordedStatement> statements = new LinkedHashMap<>();

    DataSource around(DataSource dataSource) {
        return proxy(DataSource.class, (self, method, arguments) -> {
            Object result = method.invoke(dataSource, arguments);
            return result instanceof Connection connection ? around(connection) : result;
        });
    }

    synchronized Collection<RecordedStatement> statements() {
        return List.copyOf(statements.values());
    }

    private Connection around(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            Object result = method.invoke(connection, arguments);
            return method.getName().equals("prepareStatement")
                    ? around((PreparedStatement) result, (String) arguments[0])
                    : result;
        });
    }

    private PreparedStatement around(PreparedStatement statement, String sql) {
        var parameters = new ArrayList<RecordedStatement.Setting>();
        return proxy(PreparedStatement.class, (self, method, arguments) -> {
            if (method.getName().startsWith("set")) {
                parameters.add(new RecordedStatement.Setting(method, Arrays.asList(arguments)));
            } else if (method.getName().startsWith("execute")) {
                RecordedStatement.parts(sql, parameters).forEach(this::record);
            }
            return method.invoke(statement, arguments);
        });
    }

    private synchronized void record(RecordedStatement statement) {
        statements.putIfAbsent(statement.sql(), statement);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return handler.invoke(self, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
