package io.waybill.jdbc.sql;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;

import io.waybill.WaybillException;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plumbing around a statement: no SQL of its own. For the packages of this module only. */
public final class Jdbc {

    /** SQLSTATE class 23: a row like this exists, or may not exist. */
    private static final String CONSTRAINT_VIOLATION = "23";

    /** SQLSTATE class 40: the transaction was rolled back for the sake of others. */
    private static final String ROLLED_BACK = "40";

    private static final int MAX_ATTEMPTS = 5;

    private static final Logger log = LoggerFactory.getLogger(Jdbc.class);

    private final DataSource dataSource;
    private final Dialect dialect;

    public Jdbc(DataSource dataSource, Dialect dialect) {
        this.dataSource = dataSource;
        this.dialect = dialect;
    }

    @FunctionalInterface
    public interface Binder {
        void bind(PreparedStatement statement) throws SQLException;
    }

    @FunctionalInterface
    public interface ItemBinder<T> {
        void bind(PreparedStatement statement, T item) throws SQLException;
    }

    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    @FunctionalInterface
    public interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Runs the work on a connection of its own that commits after every statement. */
    public <T> T autoCommit(String what, Work<T> work) {
        return retried(what, connection -> {
            connection.setAutoCommit(true);
            return work.run(connection);
        });
    }

    /** Runs the work in a transaction of its own. */
    public <T> T transaction(String what, Work<T> work) {
        return retried(what, connection -> {
            begin(connection);
            T result;
            try {
                result = work.run(connection);
            } catch (Throwable e) {
                rollBack(connection, e);
                throw e;
            }
            commit(connection);
            return result;
        });
    }

    static Connection begin(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException | RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    static void commit(Connection connection) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            rollBack(connection, e);
            throw e;
        }
        endTransaction(connection);
    }

    /** Rolls back, whatever it was that was thrown. A connection that cannot is ended: to hand it back might commit. */
    public static void rollBack(Connection connection, Throwable because) {
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException e) {
            because.addSuppressed(e);
            abort(connection);
            return;
        }
        endTransaction(connection);
    }

    /** Nothing is open any more. A connection that breaks here does not change what has become of the transaction. */
    private static void endTransaction(Connection connection) {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            abort(connection);
        }
    }

    static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            log.debug("A connection could not be ended.", e);
        }
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("A connection could not be closed.", e);
        }
    }

    /** Runs the work in the caller's transaction. */
    public static <T> T in(Transaction transaction, String what, Work<T> work) {
        try {
            return work.run(transaction.unwrap(Connection.class));
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    /** Our own work may be repeated as a whole when the database chose it as the victim of a deadlock. */
    private <T> T retried(String what, Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = dataSource.getConnection()) {
                if (dialect.isMySql() && connection.getTransactionIsolation() != TRANSACTION_READ_COMMITTED) {
                    connection.setTransactionIsolation(TRANSACTION_READ_COMMITTED);
                }
                return work.run(connection);
            } catch (SQLException e) {
                if (attempt == MAX_ATTEMPTS || !isVictim(e)) {
                    throw failed(what, e);
                }
            }
        }
    }

    private static boolean isVictim(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(ROLLED_BACK);
    }

    public static <T> List<T> query(Connection connection, String sql, Binder binder, Reader<T> reader)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binder.bind(statement);
            try (ResultSet rows = statement.executeQuery()) {
                var result = new ArrayList<T>();
                while (rows.next()) {
                    result.add(reader.read(rows));
                }
                return result;
            }
        }
    }

    public static int update(Connection connection, String sql, Binder binder) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binder.bind(statement);
            return statement.executeUpdate();
        }
    }

    /**
     * Inserts a row unless one like it is there, and says whether it did. On PostgreSQL a failed statement would end the whole
     * transaction.
     */
    public static boolean insertIfMissing(Connection connection, Dialect dialect, String insert, Binder binder)
            throws SQLException {
        try {
            String ifMissing = dialect == Dialect.POSTGRESQL ? " ON CONFLICT DO NOTHING" : "";
            return update(connection, insert + ifMissing, binder) == 1;
        } catch (SQLException e) {
            if (isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    /** The same statement for each of these, in one round trip where the driver can. Returns how many rows each has changed. */
    public static <T> int[] batch(Connection connection, String sql, Collection<T> items, ItemBinder<T> binder)
            throws SQLException {
        if (items.isEmpty()) {
            return new int[0];
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (T item : items) {
                binder.bind(statement, item);
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }

    public static boolean isDuplicate(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(CONSTRAINT_VIOLATION);
    }

    public static WaybillException failed(String what, SQLException e) {
        // A pool says only that it has no connection; why is in the cause, such as a password that was refused.
        String why = e.getCause() instanceof SQLException cause ? ": " + cause.getMessage() : "";
        return new WaybillException("Could not " + what + ": " + e.getMessage() + why, e);
    }
}
