package io.waybill.spring.transaction;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Which connection of this thread is in a transaction that may still commit. Spring leaves a connection bound to the thread while it runs
 * what was left for after the commit, and binds one that a query borrows inside of another data source's transaction; neither can be told
 * from the connection, so transaction managers say what they open.
 *
 * <p><i>Threads:</i> safe.
 */
final class OpenTransactions implements TransactionExecutionListener {

    private enum State {
        OPEN,
        ENDED
    }

    private final DataSource dataSource;
    private final Map<ConnectionHolder, State> states = Collections.synchronizedMap(new WeakHashMap<>());

    OpenTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Hears when this one opens and ends transactions. */
    void listenTo(ConfigurableTransactionManager manager) {
        manager.addListener(this);
    }

    /** The connection that this thread's transaction is on; nothing where there is none, or where it has ended. */
    @Nullable
    ConnectionHolder current() {
        // While listeners run that hear of the completion, synchronization is switched off and the rest still looks
        // open.
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return null;
        }
        var holder = (ConnectionHolder) TransactionSynchronizationManager.getResource(dataSource);
        return holder != null && states.get(holder) == State.OPEN ? holder : null;
    }

    /** Whether this thread is among the callbacks of a transaction that has ended. */
    boolean hasEnded() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        var holder = (ConnectionHolder) TransactionSynchronizationManager.getResource(dataSource);
        return holder != null
                && (states.get(holder) == State.ENDED || !TransactionSynchronizationManager.isSynchronizationActive());
    }

    /** Spring reports nothing between the commit and its after-commit work: the first call there shows that the transaction has ended. */
    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null
                && transaction instanceof DefaultTransactionStatus status
                && status.hasTransaction()
                && status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
                && jdbc.hasConnectionHolder()
                && jdbc.getConnectionHolder() == TransactionSynchronizationManager.getResource(dataSource)
                && TransactionSynchronizationManager.isSynchronizationActive()) {
            states.put(jdbc.getConnectionHolder(), State.OPEN);
            TransactionSynchronizationManager.registerSynchronization(new End(jdbc.getConnectionHolder()));
        }
    }

    /** Runs before whatever else was left for after the commit. */
    private final class End implements TransactionSynchronization {

        private final ConnectionHolder holder;

        End(ConnectionHolder holder) {
            this.holder = holder;
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void afterCommit() {
            states.put(holder, State.ENDED);
        }

        @Override
        public void afterCompletion(int status) {
            states.put(holder, State.ENDED);
        }
    }
}
