package io.waybill.relay.route;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that work beside the relay's own: they come when there is work, go after a while without, and keep no process alive. The
 * caller limits their number.
 */
public final class Workers {

    private static final int IDLE_SECONDS = 10;
    private static final AtomicInteger THREADS = new AtomicInteger();

    private Workers() {}

    public static ExecutorService named(String name) {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    var thread = new Thread(work, "waybill-" + name + "-" + THREADS.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }
}
