package io.waybill.spring.transaction;

import io.waybill.WaybillException;
import io.waybill.store.AfterCommit;
import io.waybill.store.DoomedTransactionException;
import io.waybill.store.NoTransactionException;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions: whatever the transaction manager has bound to the thread for this data source, JPA's where it shows its
 * connection.
 *
 * <p><i>Threads:</i> safe; a transaction belongs to the thread that opened it.
 */
final class SpringTransactions implements Transactions {

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;
    private final OpenTransactions open;

    SpringTransactions(DataSource dataSource, PlatformTransactionManager manager) {
        this.dataSource = unwrapped(dataSource);
        this.manager = manager;
        this.open = new OpenTransactions(this.dataSource);
        listenTo(manager);
    }

    /** Transaction managers bind the connection to what such a proxy wraps. */
    static DataSource unwrapped(DataSource dataSource) {
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : target;
    }

    /** Joins the transactions of this manager too, where they are on our data source. */
    void listenTo(TransactionManager another) {
        if (another instanceof ConfigurableTransactionManager configurable
                && !configurable.getTransactionExecutionListeners().contains(open)) {
            open.listenTo(configurable);
        }
    }

    @Override
    public Transaction current() {
        return joined().orElseThrow(() ->
                new NoTransactionException("Outbox.append needs an open transaction, but " + whyThereIsNone()));
    }

    private String whyThereIsNone() {
        if (open.hasEnded()) {
            return "that of this thread has ended: this code runs after its commit or rollback. Append before it ends"
                    + " (BEFORE_COMMIT), or in a method of another bean with @Transactional(propagation ="
                    + " Propagation.REQUIRES_NEW).";
        }
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            return "that of this thread is not one of Waybill's DataSource, or its transaction manager is not a bean. Name"
                    + " the transaction manager of that DataSource in @Transactional, or set waybill.data-source to the one"
                    + " that has your data.";
        }
        return "this thread has none. Call it inside @Transactional (from another bean, or the proxy is bypassed) or"
                + " inside a TransactionTemplate.";
    }

    /** Joins without Spring's knowing, so that an exception that the caller handles does not doom the transaction. */
    @Override
    public <T, X extends Exception> T inTransaction(Work<T, X> work) throws X {
        Optional<Transaction> joined = joined();
        return joined.isPresent() ? work.run(joined.get()) : inNewTransaction(work);
    }

    /** What cannot be joined is left alone: Spring's default would take part in a transaction that has ended. */
    private <T, X extends Exception> T inNewTransaction(Work<T, X> work) throws X {
        TransactionStatus status = manager.getTransaction(
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        T result;
        try {
            result = work.run(current());
            if (status.isRollbackOnly()) {
                throw new DoomedTransactionException(
                        "A @Transactional method has thrown inside this transaction, and its caller has caught that: the"
                                + " transaction cannot commit any more. Let the exception through, or give that method"
                                + " Propagation.NESTED, or rules for rollback that leave it out.");
            }
        } catch (Throwable e) {
            rollback(status, e);
            throw e;
        }
        manager.commit(status);
        return result;
    }

    private void rollback(TransactionStatus status, Throwable because) {
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            because.addSuppressed(e);
        }
    }

    private Optional<Transaction> joined() {
        return Optional.ofNullable(open.current())
                .map(ConnectionHolder::getConnection)
                .map(Joined::new);
    }

    /** The transaction that Spring has opened. */
    private record Joined(Connection connection) implements Transaction {

        @Override
        public <T> T unwrap(Class<T> type) {
            if (type.isInstance(connection)) {
                return type.cast(connection);
            }
            throw new WaybillException("A transaction has a java.sql.Connection, not a " + type.getName() + ".");
        }

        @Override
        public boolean isReadOnly() {
            return TransactionSynchronizationManager.isCurrentTransactionReadOnly();
        }

        @Override
        public boolean afterCommit(Runnable work) {
            if (!TransactionSynchronizationManager.isSynchronizationActive()) {
                return false;
            }
            var after = new AfterCommit(work);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    after.run();
                }

                /** Where another one has thrown before it was our turn. */
                @Override
                public void afterCompletion(int status) {
                    if (status == STATUS_COMMITTED) {
                        after.run();
                    }
                }
            });
            return true;
        }
    }
}
