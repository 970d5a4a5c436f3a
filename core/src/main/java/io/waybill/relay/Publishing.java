package io.waybill.relay;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.relay.Publishers.Line;
import io.waybill.store.ClaimedMessage;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Batches on their way to brokers. The relay's thread hands them over, waits a moment, and settles what has been answered; a line
 * that takes longer holds up nobody else, and gets nothing more until its answer has been settled.
 *
 * <p><i>Threads:</i> safe; one lock for the bookkeeping, publishers work outside of it.
 */
final class Publishing {

    /** How many lines may be slow at the same time before others have to wait for them. */
    private static final int MOST_LINES = 64;

    static final Duration TO_THE_END = Duration.ofNanos(Long.MAX_VALUE);

    /** How many full batches may be under way, on whatever lines. */
    private static final int MOST_BATCHES = 4;

    private final Publishers publishers;
    private final RelayOptions options;
    private final Time time;
    private final Runnable somethingEnded;
    private final ExecutorService workers = Workers.atMost(MOST_LINES, "publisher");
    private final Map<Line, Batch> underWay = new LinkedHashMap<>();

    /** What the relay's thread still waits for. */
    private final Set<Line> awaited = new HashSet<>();

    private long bytes;

    /** @param somethingEnded there is something to settle, and nobody waits for it */
    Publishing(Publishers publishers, RelayOptions options, Time time, Runnable somethingEnded) {
        this.publishers = publishers;
        this.options = options;
        this.time = time;
        this.somethingEnded = somethingEnded;
    }

    /** A batch of one line, and what became of it once that is known. */
    static final class Batch {
        private final List<ClaimedMessage> messages;
        private final Leasing.Held held;
        private final Time.Stopwatch since;
        private @Nullable Thread worker;
        private @Nullable List<Outcome> outcomes;
        private @Nullable Error error;

        private Batch(List<ClaimedMessage> messages, Leasing.Held held, Time.Stopwatch since) {
            this.messages = messages;
            this.held = held;
            this.since = since;
        }

        List<ClaimedMessage> messages() {
            return messages;
        }

        Leasing.Held held() {
            return held;
        }

        List<Outcome> outcomes() {
            if (error != null) {
                throw error;
            }
            return outcomes == null ? List.of() : outcomes;
        }

        private long bytes() {
            return messages.stream().mapToLong(ClaimedMessage::bytes).sum();
        }

        private boolean hasEnded() {
            return outcomes != null || error != null;
        }
    }

    /** Whether the line has not answered, its answer has not been settled, or too much is under way already. */
    synchronized boolean isBusy(Line line) {
        return underWay.containsKey(line) || bytes > (MOST_BATCHES - 1) * options.batchBytes();
    }

    synchronized boolean isIdle() {
        return underWay.isEmpty();
    }

    /** The destinations of what is under way. */
    synchronized Set<String> destinations() {
        return underWay.values().stream()
                .flatMap(batch -> batch.messages.stream())
                .map(message -> message.envelope().destination())
                .collect(Collectors.toSet());
    }

    /** @param named the messages as the broker gets them */
    synchronized void start(Line line, List<ClaimedMessage> messages, List<Envelope> named, Leasing.Held held) {
        var batch = new Batch(messages, held, time.stopwatch());
        underWay.put(line, batch);
        bytes += batch.bytes();
        awaited.add(line);
        workers.execute(() -> publish(line, batch, named));
    }

    private void publish(Line line, Batch batch, List<Envelope> named) {
        List<Outcome> outcomes = null;
        Error error = null;
        synchronized (this) {
            batch.worker = Thread.currentThread();
        }
        try {
            outcomes = publishers.publish(line, named, batch.held.deadline());
        } catch (Error e) {
            error = e;
        }
        boolean isAwaited;
        synchronized (this) {
            batch.worker = null;
            batch.outcomes = outcomes;
            batch.error = error;
            isAwaited = awaited.remove(line);
            notifyAll();
        }
        if (!isAwaited) {
            somethingEnded.run();
        }
    }

    /** Waits for what was started since the last time, but not longer than this. */
    synchronized void await(Duration patience) {
        long start = System.nanoTime();
        try {
            for (long left = patience.toNanos(); left > 0 && !awaited.isEmpty(); ) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = patience.toNanos() - (System.nanoTime() - start);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        awaited.clear();
    }

    /** What has been answered; from now on its lines may get more, so it has to be settled before anything is claimed. */
    synchronized List<Batch> ended() {
        List<Batch> ended = underWay.values().stream().filter(Batch::hasEnded).toList();
        underWay.values().removeAll(ended);
        ended.forEach(batch -> bytes -= batch.bytes());
        return ended;
    }

    /** Whether a publisher does not come back. */
    synchronized boolean hangs() {
        return underWay.values().stream().anyMatch(this::hangs);
    }

    private boolean hangs(Batch batch) {
        return !batch.hasEnded() && batch.since.hasReached(options.publishTimeout());
    }

    /**
     * Interrupts publishers that do not come back.
     *
     * @throws WaybillException when there are any: a relay that has one must not renew its leases
     */
    synchronized void interruptWhatHangs() {
        var hanging = new ArrayList<String>();
        underWay.values().forEach(batch -> {
            if (hangs(batch)) {
                hanging.add(batch.messages.get(0).envelope().destination());
                if (batch.worker != null) {
                    batch.worker.interrupt();
                }
            }
        });
        if (!hanging.isEmpty()) {
            throw new WaybillException(
                    "Publishing to " + String.join(", ", hanging) + " has not come back for more than "
                            + options.publishTimeout() + ". Until it does, this relay leaves its shards to others.");
        }
    }

    /** Waits for what is under way. */
    void close() {
        workers.shutdown();
        try {
            if (!workers.awaitTermination(options.publishTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
