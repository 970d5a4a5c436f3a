package io.waybill.jdbc;

import io.waybill.store.NoTransactionException;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Plain JDBC transactions: {@link #inTransaction} opens one and binds it to the thread, and whatever is appended inside joins
 * it.
 *
 * <p><i>Threads:</i> safe; a transaction belongs to the thread that opened it.
 */
public final class JdbcTransactions implements Transactions {

    private final DataSource dataSource;
    private final ThreadLocal<JdbcTransaction> current = new ThreadLocal<>();

    public JdbcTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Always the transaction of this one connection, which the caller commits. */
    public static Transactions of(Connection connection) {
        return new Transactions() {
            @Override
            public Transaction current() {
                return JdbcTransaction.of(connection);
            }

            @Override
            public <T> T inTransaction(Work<T> work) {
                return work.run(current());
            }
        };
    }

    @Override
    public Transaction current() {
        JdbcTransaction transaction = current.get();
        if (transaction == null) {
            throw new NoTransactionException("Outbox.append needs an open transaction, but this thread has none."
                    + " Call it inside transactions.inTransaction(...), inside @Transactional, or pass the Connection"
                    + " whose transaction writes your data.");
        }
        return transaction;
    }

    @Override
    public <T> T inTransaction(Work<T> work) {
        JdbcTransaction joined = current.get();
        return joined != null ? work.run(joined) : inNewTransaction(work);
    }

    private <T> T inNewTransaction(Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            var transaction = JdbcTransaction.owned(connection);
            current.set(transaction);
            T result;
            try {
                result = work.run(transaction);
                connection.commit();
            } catch (SQLException | RuntimeException | Error e) {
                rollback(connection, e);
                throw e;
            } finally {
                current.remove();
                connection.setAutoCommit(true);
            }
            transaction.committed();
            return result;
        } catch (SQLException e) {
            throw Jdbc.failed("run the transaction", e);
        }
    }

    private static void rollback(Connection connection, Throwable because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }
}
