package io.waybill.benchmarks.latency;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import java.sql.SQLException;

/** A loop that publishes what is appended while it runs. */
interface Live extends AutoCloseable {

    /** Appends a message in a transaction of its own, and notes when it commits. */
    void append(int number) throws SQLException;

    /** Starts one on an empty database, ready to publish. */
    @FunctionalInterface
    interface Factory {
        Live start(BenchmarkDatabase database, Latencies latencies) throws Exception;
    }
}
