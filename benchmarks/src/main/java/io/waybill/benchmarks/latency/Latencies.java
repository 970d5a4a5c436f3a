package io.waybill.benchmarks.latency;

import io.waybill.benchmarks.workload.Workload;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When each message was committed and when it was published. The clock starts when the COMMIT is sent, so that a publisher can
 * never be too early.
 */
final class Latencies {

    private final AtomicLongArray committed;
    private final AtomicLongArray published;
    private final AtomicInteger count = new AtomicInteger();

    Latencies(int messages) {
        this.committed = new AtomicLongArray(messages);
        this.published = new AtomicLongArray(messages);
    }

    int expected() {
        return committed.length();
    }

    void committing(int number) {
        committed.set(number, System.nanoTime());
    }

    void published(String payload, long nanos) {
        published.set(Workload.number(payload), nanos);
        count.incrementAndGet();
    }

    int published() {
        return count.get();
    }

    Percentiles percentiles() {
        double[] millis = new double[expected()];
        Arrays.setAll(millis, number -> (published.get(number) - committed.get(number)) / 1e6);
        Arrays.sort(millis);
        return new Percentiles(at(millis, 0.50), at(millis, 0.99));
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    /** In milliseconds. */
    record Percentiles(double p50, double p99) {}
}
