package io.waybill.server.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for Ctrl-C, and lets the JVM end once everything is closed. */
public final class Shutdown {

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    private Shutdown() {}

    public static Shutdown hook() {
        var shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            shutdown.asked.countDown();
            awaitQuietly(shutdown.ended);
        }));
        return shutdown;
    }

    /** Until somebody ends the process. */
    public void await() {
        awaitQuietly(asked);
    }

    /** The same, but no longer than this; whether somebody does. */
    public boolean await(Duration limit) {
        try {
            return asked.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Ends the waiting, as Ctrl-C does. */
    public void request() {
        asked.countDown();
    }

    /** Everything is closed: the process may end. */
    public void ended() {
        ended.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
