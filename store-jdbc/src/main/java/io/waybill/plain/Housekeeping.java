package io.waybill.plain;

import io.waybill.ops.Cleanup;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes messages whose retention is over, every now and then, in small steps. Several instances may do so at once. */
final class Housekeeping implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    private final Cleanup cleanup;
    private final Cleanup.Options options;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        var daemon = new Thread(work, "waybill-housekeeping");
        daemon.setDaemon(true);
        return daemon;
    });

    private Housekeeping(Cleanup cleanup, Duration retention) {
        this.cleanup = cleanup;
        this.options = Cleanup.Options.olderThan(retention);
    }

    static Housekeeping start(Cleanup cleanup, Duration retention, Duration interval) {
        var housekeeping = new Housekeeping(cleanup, retention);
        ScheduledFuture<?> unused = housekeeping.thread.scheduleWithFixedDelay(
                housekeeping::cleanUp, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return housekeeping;
    }

    private void cleanUp() {
        try {
            long removed = cleanup.outbox(options, soFar -> {});
            log.debug("Removed {} messages that were dispatched more than {} ago.", removed, options.olderThan());
        } catch (RuntimeException e) {
            log.warn("WB-108 Old messages could not be removed and stay until the next time: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
