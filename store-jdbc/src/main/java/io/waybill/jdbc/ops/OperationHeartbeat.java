package io.waybill.jdbc.ops;

import io.waybill.WaybillException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes every second that an operation goes on and how far it is, until it is closed. The first step is written at once. */
final class OperationHeartbeat implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OperationHeartbeat.class);

    private static final ScheduledExecutorService THREAD = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "waybill-operation-heartbeat");
        thread.setDaemon(true);
        return thread;
    });

    private final Consumer<String> write;
    private final AtomicReference<String> soFar = new AtomicReference<>("");
    private final Future<?> beats;

    private OperationHeartbeat(Consumer<String> write) {
        this.write = write;
        this.beats = THREAD.scheduleWithFixedDelay(this::beat, 1, 1, TimeUnit.SECONDS);
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

    /** The database may be away for a moment; the operation itself reports that. */
    private void beat() {
        try {
            write.accept(soFar.get());
        } catch (WaybillException e) {
            log.debug("The progress of an operation could not be written.", e);
        }
    }

    @Override
    public void close() {
        beats.cancel(false);
    }
}
