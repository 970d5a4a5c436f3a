package io.waybill.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Counts what commits: a statement in auto-commit mode, {@code commit()}, or COMMIT as part of a text. After one of these, the database has
 * done what it was asked, and the client hears of a broken connection instead.
 *
 * <p><i>Threads:</i> safe.
 */
final class CutDataSource {

    private static final Set<String> EXECUTES =
            Set.of("execute", "executeUpdate", "executeLargeUpdate", "executeBatch", "executeQuery");

    private final DataSource real;
    private final DataSource uncut;
    private final Runnable beforeTheCut;
    private final AtomicInteger commits = new AtomicInteger();
    private volatile int cutAt = Integer.MAX_VALUE;

    /**
     * @param uncut the same database, by a way that is never cut
     * @param beforeTheCut where it is the network that loses the answer: lets it do so
     */
    CutDataSource(DataSource real, DataSource uncut, Runnable beforeTheCut) {
        this.real = real;
        this.uncut = uncut;
        this.beforeTheCut = beforeTheCut;
    }

    /** Loses the answer to the n-th commit from now on. */
    void cutAt(int n) {
        cutAt = commits.get() + n;
    }

    int commits() {
        return commits.get();
    }

    boolean hasCut() {
        return commits.get() >= cutAt;
    }

    DataSource dataSource() {
        return wrap(DataSource.class, (method, arguments) -> {
            Object result = call(method, real, arguments);
            return result instanceof Connection connection ? connection(connection) : result;
        });
    }

    private Connection connection(Connection connection) {
        return wrap(Connection.class, (method, arguments) -> {
            if (method.getName().equals("commit")) {
                return committing(connection, () -> call(method, connection, arguments));
            }
            Object result = call(method, connection, arguments);
            return result instanceof PreparedStatement statement
                    ? statement(connection, statement, String.valueOf(arguments[0]))
                    : result;
        });
    }

    private PreparedStatement statement(Connection connection, PreparedStatement statement, String sql) {
        String text = sql.strip().toUpperCase(Locale.ROOT);
        boolean reads = text.startsWith("SELECT") || text.startsWith("(SELECT");
        return wrap(PreparedStatement.class, (method, arguments) -> {
            boolean commits = EXECUTES.contains(method.getName())
                    && !reads
                    && (connection.getAutoCommit() || text.endsWith("COMMIT"));
            return commits
                    ? committing(connection, () -> call(method, statement, arguments))
                    : call(method, statement, arguments);
        });
    }

    private Object committing(Connection connection, Call commit) throws Throwable {
        if (commits.incrementAndGet() != cutAt) {
            return commit.run();
        }
        beforeTheCut.run();
        try {
            commit.run();
        } finally {
            connection.abort(Runnable::run);
        }
        throw new SQLNonTransientConnectionException("The answer was lost.", "08006");
    }

    private interface Call {
        Object run() throws Throwable;
    }

    private interface Behaviour {
        Object call(Method method, Object[] arguments) throws Throwable;
    }

    /** {@code unwrap} leads to the real one: what the driver does beyond JDBC stays possible. */
    private static <T> T wrap(Class<T> type, Behaviour behaviour) {
        return type.cast(Proxy.newProxyInstance(
                CutDataSource.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> behaviour.call(method, arguments == null ? new Object[0] : arguments)));
    }

    private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A connection that is never cut, to look at what has become of everything. */
    Connection uncut() throws SQLException {
        return uncut.getConnection();
    }
}
