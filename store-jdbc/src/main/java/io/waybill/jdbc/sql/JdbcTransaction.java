package io.waybill.jdbc.sql;

import io.waybill.WaybillException;
import io.waybill.store.AfterCommit;
import io.waybill.store.NoTransactionException;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction on a JDBC connection. */
public final class JdbcTransaction implements Transaction {

    private final Connection connection;
    private final boolean tellsWhenCommitted;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private @Nullable String atEnd;

    private JdbcTransaction(Connection connection, boolean tellsWhenCommitted) {
        this.connection = connection;
        this.tellsWhenCommitted = tellsWhenCommitted;
    }

    /** The transaction of a connection that the caller commits or rolls back. */
    public static JdbcTransaction of(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new NoTransactionException("Outbox.append needs an open transaction, but the connection is in"
                        + " auto-commit mode. Call connection.setAutoCommit(false) first and commit when the data is"
                        + " written, or call it inside JdbcTransactions.inTransaction.");
            }
        } catch (SQLException e) {
            throw Jdbc.failed("ask the connection for its transaction", e);
        }
        return new JdbcTransaction(connection, false);
    }

    static JdbcTransaction owned(Connection connection) {
        return new JdbcTransaction(connection, true);
    }

    /** Whether we commit it ourselves, right after the work. */
    public boolean isOwned() {
        return tellsWhenCommitted;
    }

    public Connection connection() {
        return connection;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (type.isInstance(connection)) {
            return type.cast(connection);
        }
        throw new WaybillException("A JDBC transaction has a java.sql.Connection, not a " + type.getName() + ".");
    }

    @Override
    public boolean afterCommit(Runnable work) {
        return tellsWhenCommitted && afterCommit.add(work);
    }

    @Override
    public boolean isReadOnly() {
        try {
            return !tellsWhenCommitted && connection.isReadOnly();
        } catch (SQLException e) {
            throw Jdbc.failed("ask the connection whether it may write", e);
        }
    }

    /** Runs the statement on the connection when the transaction is over; false when that is not ours to do, or is so already. */
    public boolean endsWith(String statement) {
        if (!isOwned() || statement.equals(atEnd)) {
            return false;
        }
        atEnd = statement;
        return true;
    }

    void ended() {
        if (atEnd != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(atEnd);
            } catch (SQLException e) {
                Jdbc.abort(connection); // Broken, or not as it was: nobody should get it again.
            }
        }
    }

    void committed() {
        AfterCommit.run(afterCommit);
    }
}
