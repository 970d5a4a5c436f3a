package io.waybill.benchmarks.workload;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** When to give up on something that does not come, and how to wait for a moment. */
public record Patience(long nanos) {

    public static Patience in(Duration duration) {
        return new Patience(System.nanoTime() + duration.toNanos());
    }

    public void check(Supplier<String> state) {
        if (System.nanoTime() - nanos > 0) {
            throw new IllegalStateException("The benchmark does not come to an end: " + state.get());
        }
    }

    /** Waits for the condition, looking every millisecond. */
    public void await(BooleanSupplier condition, Supplier<String> state) {
        while (!condition.getAsBoolean()) {
            check(state);
            pause(Duration.ofMillis(1));
        }
    }

    /** Does nothing until the moment is there; a loop that polls does just this. */
    public static void pauseUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    public static void pause(Duration duration) {
        pauseUntil(System.nanoTime() + duration.toNanos());
    }
}
