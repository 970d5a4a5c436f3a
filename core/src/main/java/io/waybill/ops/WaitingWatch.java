package io.waybill.ops;

import io.waybill.observe.WaitingSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then for what waits, so that the log says once that it has become unusual, and once that it is over. Every instance on a
 * database says it for itself.
 *
 * <p><i>Threads:</i> one of its own, which keeps no process alive.
 */
public final class WaitingWatch implements AutoCloseable {

    /** How long a message may wait before that is unusual, unless somebody knows better. */
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(WaitingWatch.class);
    private static final Duration MIN_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        var daemon = new Thread(work, "waybill-waiting");
        daemon.setDaemon(true);
        return daemon;
    });
    private final WaitingLog waitingLog = new WaitingLog();
    private final List<WaitingSource> sources;

    private WaitingWatch(List<WaitingSource> sources) {
        this.sources = sources;
    }

    /**
     * Begins to look.
     *
     * @param sources what is known to several of them is taken from the first
     */
    public static WaitingWatch start(Duration patience, List<WaitingSource> sources) {
        var watch = new WaitingWatch(sources);
        long millis = Math.max(
                MIN_PAUSE.toMillis(),
                Math.min(MAX_PAUSE.toMillis(), patience.dividedBy(2).toMillis()));
        ScheduledFuture<?> unused =
                watch.thread.scheduleWithFixedDelay(watch::look, millis, millis, TimeUnit.MILLISECONDS);
        return watch;
    }

    /** A database that is away is reported by the relay. */
    private void look() {
        try {
            waitingLog.look(WaitingSource.all(sources));
        } catch (Throwable e) {
            log.debug("The list of what waits could not be read.", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
