package io.waybill.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several threads that do the same work, each its part. */
public final class Crew {

    /** The part of one member, who is counted from zero. */
    @FunctionalInterface
    public interface Work {
        void run(int member) throws Exception;
    }

    private Crew() {}

    /** Returns when all are done; the first failure is everybody's. */
    public static void run(int members, Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(members);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < members; i++) {
                int member = i;
                parts.add(threads.submit(() -> {
                    work.run(member);
                    return member;
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A thread of the benchmark failed: " + e.getCause(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
