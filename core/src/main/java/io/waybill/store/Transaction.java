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
     * Runs a hint once the transaction has committed. Where nobody tells when that is (a connection that the caller
     * commits), it runs at once, so it must only wake somebody who looks for himself.
     */
    void wakeAfterCommit(Runnable hint);
}
