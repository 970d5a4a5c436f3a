package io.waybill.plain;

import io.waybill.ops.Cleanup;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes messages and inbox rows whose retention is over, every now and then, in small steps. Several instances may do so at
 * once.
 */
final class Housekeeping implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    private final Cleanup cleanup;
    private final Duration outboxRetention;
    private final Duration inboxRetention;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        var daemon = new Thread(work, "waybill-housekeeping");
        daemon.setDaemon(true);
        return daemon;
    });

    private Housekeeping(Cleanup cleanup, Duration outboxRetention, Duration inboxRetention) {
        this.cleanup = cleanup;
        this.outboxRetention = outboxRetention;
        this.inboxRetention = inboxRetention;
    }

    /** An outbox without a retention has nothing to remove. */
    static Housekeeping start(Cleanup cleanup, Duration outboxRetention, Duration inboxRetention, Duration interval) {
        var housekeeping = new Housekeeping(cleanup, outboxRetention, inboxRetention);
        ScheduledFuture<?> unused = housekeeping.thread.scheduleWithFixedDelay(
                housekeeping::cleanUp, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return housekeeping;
    }

    private void cleanUp() {
        try {
            if (!outboxRetention.isZero()) {
                long removed = cleanup.outbox(Cleanup.Options.olderThan(outboxRetention), soFar -> {});
                log.debug("Removed {} messages that were dispatched more than {} ago.", removed, outboxRetention);
            }
            long forgotten = cleanup.inbox(Cleanup.Options.olderThan(inboxRetention), soFar -> {});
            log.debug("Forgot {} messages that were handled more than {} ago.", forgotten, inboxRetention);
        } catch (RuntimeException e) {
            log.warn("WB-108 Old messages could not be removed and stay until the next time: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
