package io.waybill.plain;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks every second for what has become due. Several instances may do so at once. */
final class Ticking implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Ticking.class);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        var daemon = new Thread(work, "waybill-due");
        daemon.setDaemon(true);
        return daemon;
    });

    private Ticking() {}

    static Ticking start(Runnable due) {
        var ticking = new Ticking();
        ScheduledFuture<?> unused =
                ticking.thread.scheduleWithFixedDelay(() -> ticking.run(due), 1, 1, TimeUnit.SECONDS);
        return ticking;
    }

    private void run(Runnable due) {
        try {
            due.run();
        } catch (RuntimeException e) {
            log.warn("WB-506 What is due could not be done, and will be tried again: {}", e.getMessage());
            log.debug("WB-506", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
