package io.waybill.micronaut.settings;

import io.micronaut.data.connection.ConnectionDefinition;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.support.TransactionSynchronization;
import io.waybill.WaybillException;
import io.waybill.store.AfterCommit;
import io.waybill.store.DoomedTransactionException;
import io.waybill.store.NoTransactionException;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Micronaut's transactions: those of {@code @Transactional} methods, of Micronaut Data, and those that Waybill opens itself.
 *
 * <p><i>Threads:</i> safe; a transaction belongs to the thread, or the propagated context, that opened it.
 */
final class MicronautTransactions implements Transactions {

    private final TransactionOperations<Connection> operations;
    private final ConnectionOperations<Connection> connections;

    MicronautTransactions(TransactionOperations<Connection> operations, ConnectionOperations<Connection> connections) {
        this.operations = operations;
        this.connections = connections;
    }

    @Override
    public Transaction current() {
        return joined().orElseThrow(() ->
                new NoTransactionException("Outbox.append needs an open transaction, but none is open here"
                        + " (SUPPORTS and NOT_SUPPORTED open none, and listeners of a transaction run outside of it)."
                        + " Put @Transactional on the method that writes your data and appends, and call it from"
                        + " another bean; or use transactionOperations.executeWrite(...)."));
    }

    @Override
    public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
        Optional<Transaction> joined = joined();
        return joined.isPresent() ? work.run(joined.get()) : inNewTransaction(work);
    }

    private Optional<Transaction> joined() {
        return operations
                .findTransactionStatus()
                .filter(MicronautTransactions::isOpen)
                .map(Joined::new);
    }

    /**
     * Methods that have no transaction have a status all the same, which is joined like one that has; only its name tells. One that was
     * carried to another thread may have ended.
     */
    private static boolean isOpen(TransactionStatus<?> status) {
        return !status.isCompleted() && !status.toString().contains("NoTxTransactionStatus");
    }

    /**
     * On a connection of its own: that of the caller may belong to a transaction whose listeners run now, and committing would commit
     * it too. Whatever the work throws rolls back, and comes through as it is.
     */
    private <T, X extends Exception> T inNewTransaction(Work<T, X> work) throws X {
        if (operations.findTransactionStatus().isPresent()) {
            return operations.execute(
                    TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRES_NEW),
                    status -> run(work, status));
        }
        if (connections.findConnectionStatus().isEmpty()) {
            return operations.execute(TransactionDefinition.DEFAULT, status -> run(work, status));
        }
        return connections.execute(
                ConnectionDefinition.REQUIRES_NEW,
                connection -> operations.execute(TransactionDefinition.DEFAULT, status -> run(work, status)));
    }

    private static <T, X extends Exception> T run(Work<T, X> work, TransactionStatus<Connection> status) throws X {
        T result = work.run(new Joined(status));
        if (status.isNewTransaction() && status.isRollbackOnly()) {
            throw new DoomedTransactionException("The work has ended well, but a @Transactional method inside it had"
                    + " failed, and its exception was caught: nothing can be committed any more. Let the exception"
                    + " through, or give that method REQUIRES_NEW or dontRollbackOn.");
        }
        return result;
    }

    private record Joined(TransactionStatus<?> status) implements Transaction {

        @Override
        public <T> T unwrap(Class<T> type) {
            Object connection = status.getConnection();
            if (type.isInstance(connection)) {
                return type.cast(connection);
            }
            throw new WaybillException("This transaction has a java.sql.Connection, not a " + type.getName() + ".");
        }

        @Override
        public boolean isReadOnly() {
            try {
                return status.getTransactionDefinition().isReadOnly().orElse(false)
                        || unwrap(Connection.class).isReadOnly();
            } catch (SQLException e) {
                throw new WaybillException("Could not ask the connection whether it may write: " + e.getMessage(), e);
            }
        }

        @Override
        public boolean afterCommit(Runnable work) {
            var after = new AfterCommit(work);
            status.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    after.run();
                }

                /** Where another one has thrown before it was our turn. */
                @Override
                public void afterCompletion(Status status) {
                    if (status == Status.COMMITTED) {
                        after.run();
                    }
                }
            });
            return true;
        }
    }
}
