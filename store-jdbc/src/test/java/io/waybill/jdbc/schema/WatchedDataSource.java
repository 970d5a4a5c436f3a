package io.waybill.jdbc.schema;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Lets something happen between the statements of somebody else. */
final class WatchedDataSource {

    /** Behind which statements a process is killed: a start has many, and each kill takes a database of its own. */
    static final int KILLED_EVERY = Integer.getInteger("waybill.schema.killed-every", 5);

    private final Event event;

    private WatchedDataSource(Event event) {
        this.event = event;
    }

    /** Happens right after a statement. */
    @FunctionalInterface
    interface Event {
        void after(String sql, Connection connection) throws SQLException;
    }

    static DataSource of(DataSource dataSource, Event event) {
        return new WatchedDataSource(event).around(dataSource);
    }

    /** Loses its connection right after so many statements, as if the process had been killed there. */
    static DataSource crashingAfter(int statements, DataSource dataSource) {
        var left = new AtomicInteger(statements);
        return of(dataSource, (sql, connection) -> {
            if (left.decrementAndGet() == 0) {
                connection.close();
                throw new SQLException("the process was killed");
            }
        });
    }

    private DataSource around(DataSource dataSource) {
        return proxy(DataSource.class, (self, method, arguments) -> {
            Object result = method.invoke(dataSource, arguments);
            return result instanceof Connection connection ? around(connection) : result;
        });
    }

    private Connection around(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            Object result = method.invoke(connection, arguments);
            if (result instanceof PreparedStatement statement) {
                return around(PreparedStatement.class, statement, (String) arguments[0], connection);
            }
            return result instanceof Statement statement ? around(Statement.class, statement, "", connection) : result;
        });
    }

    private <T extends Statement> T around(Class<T> type, T statement, String prepared, Connection connection) {
        return proxy(type, (self, method, arguments) -> {
            Object result = method.invoke(statement, arguments);
            if (method.getName().startsWith("execute")) {
                event.after(arguments == null ? prepared : (String) arguments[0], connection);
            }
            return result;
        });
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
