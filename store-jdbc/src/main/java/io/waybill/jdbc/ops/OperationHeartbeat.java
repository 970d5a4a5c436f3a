package io.waybill.jdbc.ops;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes every second that an operation goes on and how far it is, until it is closed. The first step is written at once.
 *
 * <p><i>Threads:</i> one gives the beat and waits for nothing. Each heartbeat writes on a thread of its own, so that a database that does not
 * answer holds up no other.
 */
final class OperationHeartbeat implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OperationHeartbeat.class);

    private static final ScheduledExecutorService TIMER =
            Executors.newSingleThreadScheduledExecutor(daemons("waybill-operation-timer"));
    private static final ExecutorService WRITERS =
            Executors.newCachedThreadPool(daemons("waybill-operation-heartbeat"));

    private final Consumer<String> write;
    private final AtomicReference<String> soFar = new AtomicReference<>("");
    private final AtomicBoolean writing = new AtomicBoolean();
    private final Future<?> beats;

    private OperationHeartbeat(Consumer<String> write) {
        this.write = write;
        this.beats = TIMER.scheduleWithFixedDelay(this::beat, 1, 1, TimeUnit.SECONDS);
    }

    private static ThreadFactory daemons(String name) {
        return work -> {
            var thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** @param write is given how far the operation is */
    static OperationHeartbeat start(Consumer<String> write) {
        return new OperationHeartbeat(write);
    }

    void progress(String now) {
        if (soFar.getAndSet(now).isEmpty()) {
            write.accept(now);
        }
    }

    /** What is thrown here would end the beats. */
    private void beat() {
        if (writing.compareAndSet(false, true)) {
            try {
                WRITERS.execute(this::write);
            } catch (RuntimeException | Error e) {
                writing.set(false);
                log.debug("There is no thread to write the progress of an operation.", e);
            }
        }
    }

    /** The database may be away for a moment; the operation itself reports that. */
    private void write() {
        try {
            write.accept(soFar.get());
        } catch (RuntimeException | Error e) {
            log.debug("The progress of an operation could not be written.", e);
        } finally {
            writing.set(false);
        }
    }

    @Override
    public void close() {
        beats.cancel(false);
    }
}
