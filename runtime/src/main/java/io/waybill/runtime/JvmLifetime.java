package io.waybill.runtime;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps the JVM running until an instance is closed, and closes the instance when the JVM is asked to end: after Ctrl-C or SIGTERM other
 * relays get its shards at once.
 *
 * <p><i>Threads:</i> safe.
 */
final class JvmLifetime implements AutoCloseable {

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook;

    JvmLifetime(Runnable close) {
        this.hook = new Thread(close, "waybill-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        new Thread(this::await, "waybill-keep-alive").start();
    }

    private void await() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending already, and perhaps it is the hook that closes the instance.
        }
    }
}
