package io.waybill.server.relay;

import io.waybill.Backoff;
import io.waybill.Pace;
import io.waybill.Time;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.WaitingWatch;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Routes;
import io.waybill.server.config.RelayConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains one source on threads and connections of its own, so that whatever happens to its database happens to nobody else. A
 * database that is away, or a table that does not fit, is tried again until it is fixed.
 */
final class SourceRunner {

    private static final Logger log = LoggerFactory.getLogger(SourceRunner.class);
    private static final Backoff NEXT_START = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), 0.1);
    /** So that there is time to give the shards back before the service ends. */
    private static final Duration MAX_CLOSE_TIMEOUT = RelayService.STOP_TIMEOUT.minusSeconds(5);

    private static final Duration CLEANUP_INTERVAL = Duration.ofMinutes(10);

    /** How often its rows are counted for the meters; less often when that takes long. */
    private static final Duration COUNT_INTERVAL = Duration.ofSeconds(5);

    private final RelayConfig.Source source;
    private final Routes routes;
    private final SourceMeters meters;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile String problem = "it is being started";
    private boolean failed;
    private volatile @Nullable RelayLoop loop;

    private SourceRunner(RelayConfig.Source source, Routes routes, SourceMeters meters) {
        this.source = source;
        this.routes = routes;
        this.meters = meters;
        this.thread = new Thread(this::run, "waybill-source-" + source.name());
        this.thread.setDaemon(true);
    }

    static SourceRunner start(RelayConfig.Source source, Routes routes, SourceMeters meters) {
        var runner = new SourceRunner(source, routes, meters);
        meters.up(() -> runner.problem().isEmpty());
        runner.thread.start();
        return runner;
    }

    /** What keeps it from running; empty when nothing does. */
    String problem() {
        RelayLoop running = loop;
        return running == null ? problem : running.trouble();
    }

    /** What its relay waits for that somebody should know of. */
    List<WaitingItem> waiting() {
        RelayLoop running = loop;
        return running == null
                ? List.of()
                : running.waiting(WaitingWatch.PATIENCE).stream()
                        .filter(WaitingItem::unusual)
                        .toList();
    }

    /** Whether it works or waits for its next try, and does not hang. */
    boolean isAlive() {
        RelayLoop running = loop;
        return thread.isAlive() && (running == null || running.isAlive());
    }

    private void run() {
        try {
            for (int attempt = 1; !isStopping(Duration.ZERO); attempt++) {
                if (startAndServe(attempt)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean startAndServe(int attempt) throws InterruptedException {
        try (OpenSource open = OpenSource.of(source)) {
            serve(open);
            return true;
        } catch (RuntimeException e) {
            return isStopping(failed(String.valueOf(e.getMessage()), attempt, e));
        } catch (Error e) {
            return isStopping(failed("it has crashed: " + e, attempt, e));
        }
    }

    /** How long to wait before the next try. */
    private Duration failed(String why, int attempt, Throwable e) {
        problem = why;
        failed = true;
        Duration pause = NEXT_START.delay(attempt);
        log.warn("WB-113 Source {} cannot be read; next attempt in {}: {}", source.name(), pause, why);
        log.debug("WB-113", e);
        return pause;
    }

    private void serve(OpenSource open) throws InterruptedException {
        RelayOptions options = source.relay();
        if (options.closeTimeout().compareTo(MAX_CLOSE_TIMEOUT) > 0) {
            options = options.withCloseTimeout(MAX_CLOSE_TIMEOUT);
        }
        var relay = new Relay(open.outboxStore(), open.leaseStore(), routes, options, Time.system(), meters.listener());
        Optional<io.waybill.jdbc.Signals> signals = open.signals();
        RelayLoop started = RelayLoop.startNamed(source.name(), relay, options);
        List<WaitingSource> waiting = List.of(() -> started.waiting(WaitingWatch.PATIENCE), open.waiting());
        try (WaitingWatch watching = WaitingWatch.start(WaitingWatch.PATIENCE, waiting)) {
            signals.ifPresent(signal -> signal.listen(1, started::wake));
            loop = started;
            log.info("Source {} is read from {}.", source.name(), source.database());
            recovered();
            meters.serves(started::shards, open.pool());
            // In a JVM that has just begun this takes longer than ever after, and is no measure for the pauses.
            meters.look(open, waiting);
            meters.lookAtProcesses(open);
            var counting = new Pace(Clock.systemUTC(), COUNT_INTERVAL);
            var countingProcesses = new Pace(Clock.systemUTC(), COUNT_INTERVAL);
            Time.Stopwatch sinceCleanup = Time.system().stopwatch();
            while (!isStopping(COUNT_INTERVAL)) {
                counting.run(() -> meters.look(open, waiting));
                countingProcesses.run(() -> meters.lookAtProcesses(open));
                if (sinceCleanup.hasReached(CLEANUP_INTERVAL)) {
                    cleanUp(open);
                    sinceCleanup = Time.system().stopwatch();
                }
            }
        } finally {
            loop = null;
            meters.servesNothing();
            started.close();
            signals.ifPresent(io.waybill.jdbc.Signals::close);
        }
    }

    private void recovered() {
        if (failed) {
            log.info("WB-131 Source {} can be read again.", source.name());
            failed = false;
        }
    }

    private void cleanUp(OpenSource open) {
        try {
            open.cleanUp();
        } catch (RuntimeException | Error e) {
            log.warn("WB-108 Old messages could not be removed and stay until the next cleanup: {}", e.getMessage());
        }
    }

    private boolean isStopping(Duration pause) throws InterruptedException {
        return stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Begins to stop; {@link #await} waits for it. */
    void stop() {
        stopping.countDown();
    }

    /** Finishes what is being sent; a database that hangs is left behind after a while. */
    void await(Duration patience) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, patience.toNanos()));
            if (thread.isAlive()) {
                log.warn(
                        "WB-114 Source {} did not stop in time, because its database or a broker does not respond. Its"
                                + " leases expire, and another relay can take them.",
                        source.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
