package io.waybill.runtime;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks every second for what has become due. Several instances may do so at once. */
final class DueTimer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DueTimer.class);

    /** A round that takes longer than this does not come back. */
    private static final Duration MAX_ROUND = Duration.ofMinutes(2);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        var daemon = new Thread(work, "waybill-due");
        daemon.setDaemon(true);
        return daemon;
    });

    private volatile long lastBeat = System.nanoTime();

    private DueTimer() {}

    static DueTimer start(Runnable due) {
        var dueTimer = new DueTimer();
        ScheduledFuture<?> unused =
                dueTimer.thread.scheduleWithFixedDelay(() -> dueTimer.run(due), 1, 1, TimeUnit.SECONDS);
        return dueTimer;
    }

    /** An error of a process's definition, too, must not end it for all the others. */
    private void run(Runnable due) {
        lastBeat = System.nanoTime();
        try {
            due.run();
        } catch (Throwable e) {
            log.warn(
                    "WB-506 Due timeouts and timers could not be processed and are retried every second: {}",
                    e.toString());
            log.debug("WB-506", e);
        }
    }

    boolean isAlive() {
        return System.nanoTime() - lastBeat < MAX_ROUND.toNanos();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
