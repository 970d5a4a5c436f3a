package io.waybill.relay;

import io.waybill.Backoff;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.route.RelayOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives a relay on a thread of its own: without a pause while there is work, woken by {@link #wake}, and looking by itself at
 * least every sweep interval.
 *
 * <p>Errors of the JVM end a cycle and not the loop: it begins anew after a pause.
 *
 * <p><i>Threads:</i> safe. Closing waits for the cycle that is under way, and then gives the relay's shards back.
 */
public final class RelayLoop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RelayLoop.class);

    /** When there is nothing to do: 1 ms, 2 ms, 4 ms … the sweep interval. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);

    /** After an error: 200 ms, 400 ms … 10 s, so that a database that is down is not hammered. */
    private static final Backoff AFTER_AN_ERROR = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 0.1);

    /** A relay that crashes so often in a row is not alive: a fresh process may help where this one cannot. */
    private static final int MAX_CRASHES = 5;

    private static final Duration RECOVERY = Duration.ofSeconds(30);

    private final Relay relay;
    private final RelayOptions options;
    private final Backoff idle;
    private final Semaphore hints = new Semaphore(0);
    private final Thread keeper;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile String trouble = "";
    private volatile long lastBeat = System.nanoTime();
    private volatile int crashesInARow;
    private int errorsInARow;
    private int emptyInARow;

    private RelayLoop(Relay relay, RelayOptions options, String name) {
        this.relay = relay;
        this.options = options;
        Duration sweep = options.sweepInterval();
        this.idle = Backoff.exact(sweep.compareTo(FIRST_PAUSE) < 0 ? sweep : FIRST_PAUSE, sweep);
        this.thread = thread("relay" + name, this::run);
        this.keeper = thread("keepalive" + name, this::keepAlive);
    }

    private static Thread thread(String name, Runnable work) {
        var thread = new Thread(work, "waybill-" + name);
        thread.setDaemon(true);
        return thread;
    }

    public static RelayLoop start(Relay relay, RelayOptions options) {
        return start(relay, options, "");
    }

    /** With a name for its threads, by which logs tell one relay of a process from another. */
    public static RelayLoop startNamed(String name, Relay relay, RelayOptions options) {
        return start(relay, options, "-" + name);
    }

    private static RelayLoop start(Relay relay, RelayOptions options, String name) {
        var loop = new RelayLoop(relay, options, name);
        relay.onEnded(loop::wake);
        loop.thread.start();
        loop.keeper.start();
        return loop;
    }

    /** Something was committed: look now. */
    public void wake() {
        if (hints.availablePermits() == 0) {
            hints.release();
        }
    }

    /** Whether the relay's thread is there and neither it nor a publisher hangs: a cycle may take as long as a publish may, and some time to recover. */
    public boolean isAlive() {
        long silence = System.nanoTime() - lastBeat;
        return thread.isAlive()
                && crashesInARow < MAX_CRASHES
                && !relay.hangs()
                && silence
                        < options.publishTimeout()
                                .plus(options.sweepInterval())
                                .plus(RECOVERY)
                                .toNanos();
    }

    /** What the relay waits for, as {@link Relay#waiting} has it. */
    public List<WaitingItem> waiting(Duration patience) {
        return relay.waiting(patience);
    }

    /** How many shards the relay owns. It asks nobody. */
    public int shards() {
        return relay.shards();
    }

    /** Why the last cycle failed; empty when it did not. */
    public String trouble() {
        return trouble;
    }

    @Override
    public void close() {
        stopping = true;
        wake();
        try {
            keeper.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stopping) {
                Duration pause = cycle();
                if (!pause.isZero()) {
                    await(pause);
                }
            }
            relay.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            log.warn(
                    "WB-105 The relay could not release its shards; other relays take them when the leases expire: {}",
                    e.getMessage());
            log.debug("WB-105", e);
        }
    }

    /** As long as the relay's thread is there, also while it closes: nobody else would get the shards of one that has ended. */
    private void keepAlive() {
        try {
            while (thread.isAlive()) {
                TimeUnit.NANOSECONDS.timedJoin(thread, relay.keepAliveInterval().toNanos());
                if (thread.isAlive() && crashesInARow == 0) {
                    renew();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void renew() {
        try {
            relay.keepAlive();
        } catch (RuntimeException e) {
            log.warn(
                    "WB-107 The leases could not be renewed; if this lasts longer than lease-time, the shards are lost:"
                            + " {}",
                    e.getMessage());
        } catch (Error e) {
            log.warn(
                    "WB-107 The leases could not be renewed; if this lasts longer than lease-time, the shards are lost.",
                    e);
        }
    }

    /** One cycle, and how long to wait after it. */
    private Duration cycle() {
        lastBeat = System.nanoTime();
        try {
            int done = relay.runQuickly();
            errorsInARow = 0;
            crashesInARow = 0;
            trouble = "";
            emptyInARow = done > 0 ? 0 : emptyInARow + 1;
            return done > 0 ? Duration.ZERO : pause();
        } catch (RuntimeException e) {
            errorsInARow++;
            trouble = String.valueOf(e.getMessage());
            Duration pause = AFTER_AN_ERROR.delay(errorsInARow);
            log.warn("WB-106 A cycle of the relay failed and is repeated in {}: {}", pause, e.getMessage());
            log.debug("WB-106", e);
            return pause;
        } catch (Error e) {
            return crashed(e);
        }
    }

    /** Nobody renews the leases of a relay that has crashed until a cycle has succeeded: others take its shards. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Others only read it.
    private Duration crashed(Error error) {
        errorsInARow++;
        crashesInARow++;
        trouble = "The relay has crashed: " + error;
        Duration pause = AFTER_AN_ERROR.delay(errorsInARow);
        log.error(
                "WB-110 The relay crashed and restarts in {}; until then other relays can take its shards.",
                pause,
                error);
        relay.crashed(error);
        return pause;
    }

    private Duration pause() {
        return idle.delay(emptyInARow - 1);
    }

    private void await(Duration pause) throws InterruptedException {
        if (hints.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
            hints.drainPermits();
            emptyInARow = 0;
        }
    }
}
