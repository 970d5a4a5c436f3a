package io.waybill.store;

/** How Waybill joins the transactions of an application: plain JDBC, Micronaut's, Spring's. */
public interface Transactions {

    /**
     * The transaction the calling thread is in.
     *
     * @throws NoTransactionException when there is none
     */
    Transaction current();

    /**
     * Runs the work in the current transaction, or in a new one that commits at the end and rolls back on whatever the work throws.
     *
     * @param <X> what the work may throw, such as {@code SQLException}; it reaches the caller as it is
     * @throws DoomedTransactionException when it is the work's own doing that a new transaction could not commit
     */
    <T, X extends Exception> T inTransaction(Work<T, X> work) throws X;

    /** Work that belongs to one transaction. */
    @FunctionalInterface
    interface Work<T, X extends Exception> {
        T run(Transaction transaction) throws X;
    }
}
