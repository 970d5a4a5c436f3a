package io.waybill.benchmarks.workload;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Work with one business INSERT each, done by some library. The clock runs from the first to the last. */
public abstract class Jobs implements AutoCloseable {

    public static final int THREADS = 4;
    public static final String INVOICES = "CREATE TABLE invoice (number INT NOT NULL, payload TEXT NOT NULL)";
    private static final String INVOICE = "INSERT INTO invoice (number, payload) VALUES (?, ?)";

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicLong start = new AtomicLong();
    private final AtomicLong end = new AtomicLong();

    /** Makes jobs on a database. */
    @FunctionalInterface
    public interface Factory {
        Jobs on(BenchmarkDatabase database) throws Exception;
    }

    /** Lets jobs wait. */
    public abstract void fill(int jobs) throws Exception;

    /** Starts to do them. */
    public abstract void start() throws Exception;

    /** The part of each job that is the application's. */
    protected final void invoice(Connection connection, int number, String payload) throws SQLException {
        if (begun.incrementAndGet() == 1) {
            start.set(System.nanoTime());
        }
        try (var insert = connection.prepareStatement(INVOICE)) {
            insert.setInt(1, number);
            insert.setString(2, payload);
            insert.executeUpdate();
        }
        end.set(System.nanoTime());
    }

    public final boolean areDone(int jobs) {
        return begun.get() >= jobs && isAllCommitted();
    }

    /** Whether nothing is left; asked when all jobs have begun. */
    protected abstract boolean isAllCommitted();

    /** From the first INSERT to the last. */
    public final long nanos() {
        return end.get() - start.get();
    }

    @Override
    public abstract void close();
}
