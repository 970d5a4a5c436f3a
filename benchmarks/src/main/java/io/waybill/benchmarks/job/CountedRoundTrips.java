package io.waybill.benchmarks.job;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Counts how often somebody waits for the database, and for how many statements: some are sent at once. */
final class CountedRoundTrips {

    private final AtomicLong waits = new AtomicLong();
    private final AtomicLong statements = new AtomicLong();
    private final DataSource pool;

    CountedRoundTrips(DataSource pool) {
        this.pool = proxy(DataSource.class, (self, method, arguments) -> {
            Object result = method.invoke(pool, arguments);
            return result instanceof Connection connection ? around(connection) : result;
        });
    }

    DataSource pool() {
        return pool;
    }

    /** What was counted so far. */
    Count count() {
        return new Count(waits.get(), statements.get());
    }

    /**
     * What was counted.
     *
     * @param statements without those that begin and end a transaction
     */
    record Count(long waits, long statements) {}

    private Connection around(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("commit") && isInTransaction(connection)) {
                waits.incrementAndGet();
            }
            Object result = method.invoke(connection, arguments);
            if (result instanceof PreparedStatement statement) {
                return around(PreparedStatement.class, statement, (String) arguments[0]);
            }
            return result instanceof Statement statement ? around(Statement.class, statement, "") : result;
        });
    }

    /** A commit of nothing does not leave the driver. */
    private static boolean isInTransaction(Connection connection) throws SQLException {
        return connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE;
    }

    private <T> T around(Class<T> type, T statement, String prepared) {
        return proxy(type, (self, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                waits.incrementAndGet();
                statements.addAndGet(statementsIn(arguments == null ? prepared : (String) arguments[0]));
            }
            return method.invoke(statement, arguments);
        });
    }

    private static long statementsIn(String sql) {
        return Stream.of(sql.split(";"))
                .map(String::strip)
                .filter(one -> !one.isEmpty() && !one.equals("COMMIT"))
                .count();
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
