package io.waybill.runtime;

import io.waybill.ops.Cleanup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what is kept longer than its retention, every now and then, in small steps. Several instances may do so at once. */
final class CleanupJob implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CleanupJob.class);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        var daemon = new Thread(work, "waybill-housekeeping");
        daemon.setDaemon(true);
        return daemon;
    });

    private CleanupJob() {}

    /** One kind of rows, how long they are kept, and what removes them. */
    record Job(String rows, Duration retention, ToLongFunction<Cleanup.Options> removal) {}

    static CleanupJob start(Duration interval, List<Job> jobs) {
        var cleanupJob = new CleanupJob();
        ScheduledFuture<?> unused = cleanupJob.thread.scheduleWithFixedDelay(
                () -> jobs.forEach(CleanupJob::run), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return cleanupJob;
    }

    private static void run(Job job) {
        try {
            long removed = job.removal().applyAsLong(Cleanup.Options.olderThan(job.retention()));
            log.debug("Removed {} {} that were over more than {} ago.", removed, job.rows(), job.retention());
        } catch (Throwable e) {
            log.warn(
                    "WB-108 Old {} could not be removed and stay until the next cleanup: {}", job.rows(), e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
