package io.waybill.store;

import io.waybill.WaybillException;

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

    /** Whether it was opened to read only, so that nothing that is written in it will be there. */
    boolean isReadOnly();

    /**
     * Refuses to write in a transaction that was opened to read only: some databases would, others would not.
     *
     * @param what the call that writes, for people
     */
    default void requireWritable(String what) {
        if (isReadOnly()) {
            throw new WaybillException(
                    what + " writes, but the transaction of its caller is read-only. Take readOnly off"
                            + " the @Transactional that opens it, or give the method that writes a transaction of its own"
                            + " (REQUIRES_NEW).");
        }
    }
}
