package io.waybill.jms.client;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends what takes too long. A send may wait for ever, for example on an Artemis whose disk is full, and JMS has no time-out for it.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Watchdog implements AutoCloseable {

    private final ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(1, work -> {
        var thread = new Thread(work, "waybill-jms-watchdog");
        thread.setDaemon(true);
        return thread;
    });

    Watchdog() {
        alarms.setRemoveOnCancelPolicy(true);
    }

    /** Abandons the link after this time, unless the watch is closed before. */
    public Watch over(JmsLink link, Duration timeout) {
        Future<?> alarm = alarms.schedule(link::abandon, timeout.toNanos(), TimeUnit.NANOSECONDS);
        return () -> alarm.cancel(false);
    }

    @Override
    public void close() {
        alarms.shutdownNow();
    }

    public interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
