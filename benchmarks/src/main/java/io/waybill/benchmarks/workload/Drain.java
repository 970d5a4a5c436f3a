package io.waybill.benchmarks.workload;

import java.sql.SQLException;

/**
 * Something that sends what waits in a database. It is filled first, which is not timed, and then drained, which is.
 *
 * <p>Made on an empty database: the constructor creates the tables and starts whatever must run beforehand.
 */
public interface Drain extends AutoCloseable {

    /** Lets this many messages wait. */
    void fill(int messages) throws SQLException;

    /** Sends until at least this many have been accepted. Returns how many were; nothing is to be left over. */
    long drain(int messages) throws Exception;

    @Override
    default void close() throws Exception {}

    /** The same, with something to close after it. */
    default Drain closing(AutoCloseable afterwards) {
        Drain drain = this;
        return new Drain() {
            @Override
            public void fill(int messages) throws SQLException {
                drain.fill(messages);
            }

            @Override
            public long drain(int messages) throws Exception {
                return drain.drain(messages);
            }

            @Override
            public void close() throws Exception {
                try (afterwards) {
                    drain.close();
                }
            }
        };
    }

    /** Makes a drain on an empty database. */
    @FunctionalInterface
    interface Factory {
        Drain on(BenchmarkDatabase database) throws Exception;
    }
}
