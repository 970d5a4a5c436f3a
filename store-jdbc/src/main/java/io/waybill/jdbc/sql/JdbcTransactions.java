package io.waybill.jdbc.sql;

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
            public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
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
    public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
        JdbcTransaction joined = current.get();
        return joined != null ? work.run(joined) : inNewTransaction(work);
    }

    private <T, X extends Exception> T inNewTransaction(Work<T, X> work) throws X {
        Connection connection = begin();
        var transaction = JdbcTransaction.owned(connection);
        try {
            T result = run(work, transaction);
            commit(connection);
            transaction.committed();
            return result;
        } finally {
            transaction.ended();
            Jdbc.close(connection);
        }
    }

    private Connection begin() {
        try {
            return Jdbc.begin(dataSource.getConnection());
        } catch (SQLException e) {
            throw Jdbc.failed("begin a transaction", e);
        }
    }

    private <T, X extends Exception> T run(Work<T, X> work, JdbcTransaction transaction) throws X {
        current.set(transaction);
        try {
            return work.run(transaction);
        } catch (Throwable e) {
            Jdbc.rollBack(transaction.connection(), e);
            throw e;
        } finally {
            current.remove();
        }
    }

    private static void commit(Connection connection) {
        try {
            Jdbc.commit(connection);
        } catch (SQLException e) {
            throw Jdbc.failed("commit the transaction", e);
        }
    }
}
