package io.waybill.store;

/** An open transaction of the database that holds both the application's data and Waybill's tables. */
public interface Transaction {

    /**
     * What the transaction is made of: {@code java.sql.Connection} on every JDBC store.
     *
     * @throws io.waybill.WaybillException when this store has no such thing
     */
    <T> T unwrap(Class<T> type);

    /**
     * Runs this once the transaction has committed, and never when it rolls back. What it throws is logged: the rest of what was
     * left for after the commit still runs, and the caller hears that it has committed. An {@link Error} comes through after the rest.
     *
     * @return false when nobody tells whether it commits (a connection that the caller commits): then nothing will run
     */
    boolean afterCommit(Runnable work);
}
