package io.waybill.relay;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that work beside the relay's own: they come when there is work, go after a while without, and keep no process alive. */
final class Workers {

    private static final int IDLE_SECONDS = 10;
    private static final AtomicInteger THREADS = new AtomicInteger();

    private Workers() {}

    static ThreadPoolExecutor atMost(int threads, String name) {
        var workers = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    var thread = new Thread(work, "waybill-" + name + "-" + THREADS.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }
}
