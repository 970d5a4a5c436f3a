package io.waybill.jdbc;

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

/** The plumbing around a statement: no SQL of its own. For the packages of this module only. */
public final class Jdbc {

    /** SQLSTATE class 23: a row like this exists, or may not exist. */
    private static final String CONSTRAINT_VIOLATION = "23";

    /** SQLSTATE class 40: the transaction was rolled back for the sake of others. */
    private static final String ROLLED_BACK = "40";

    private static final int MOST_ATTEMPTS = 5;

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
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollback(connection, e);
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        });
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
                if (attempt == MOST_ATTEMPTS || !isVictim(e)) {
                    throw failed(what, e);
                }
            }
        }
    }

    private static boolean isVictim(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(ROLLED_BACK);
    }

    static void rollback(Connection connection, Exception because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
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
    static boolean insertIfMissing(Connection connection, Dialect dialect, String insert, Binder binder)
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
        return new WaybillException("Could not " + what + ": " + e.getMessage(), e);
    }
}
