package com.acme.examples;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Examples end when what they show has happened. */
public final class Wait {

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private Wait() {}

    public static void until(String what, BooleanSupplier isSo) {
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "After " + MAX_WAIT.toSeconds() + " seconds it is still not so that " + what + ".");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
