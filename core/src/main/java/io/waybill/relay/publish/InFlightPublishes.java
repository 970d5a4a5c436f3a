package io.waybill.relay.publish;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.observe.ObservedCall;
import io.waybill.observe.RelayListener;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.route.PublisherPool;
import io.waybill.relay.route.PublisherPool.Line;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Workers;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
public final class InFlightPublishes {

    /** How many lines may be slow at the same time before others have to wait for them. */
    private static final int MAX_LINES = 64;

    public static final Duration TO_THE_END = Duration.ofNanos(Long.MAX_VALUE);

    /** How many full batches may be under way, on whatever lines. */
    private static final int MAX_BATCHES = 4;

    private final PublisherPool publishers;
    private final RelayOptions options;
    private final Time time;
    private final RelayListener listener;
    private final Runnable somethingEnded;
    private final ExecutorService workers = Workers.named("publisher");
    private final Map<Line, Batch> underWay = new LinkedHashMap<>();
    private final Deque<Batch> ready = new ArrayDeque<>();
    private int working;

    /** What the relay's thread still waits for. */
    private final Set<Line> awaited = new HashSet<>();

    private long bytes;

    /** @param somethingEnded there is something to settle, and nobody waits for it */
    public InFlightPublishes(
            PublisherPool publishers,
            RelayOptions options,
            Time time,
            RelayListener listener,
            Runnable somethingEnded) {
        this.listener = listener;
        this.publishers = publishers;
        this.options = options;
        this.time = time;
        this.somethingEnded = somethingEnded;
    }

    /** A batch of one line, and what became of it once that is known. */
    public static final class Batch {
        private final Line line;
        private final List<ClaimedMessage> messages;
        private final List<Envelope> named;
        private final HeldShards held;
        private final Time.Stopwatch since;
        private final long bytes;
        private @Nullable Thread worker;
        private @Nullable List<Outcome> outcomes;
        private @Nullable Error error;
        private boolean disowned;

        private Batch(
                Line line, List<ClaimedMessage> messages, List<Envelope> named, HeldShards held, Time.Stopwatch since) {
            this.line = line;
            this.messages = messages;
            this.named = named;
            this.held = held;
            this.since = since;
            this.bytes = ClaimedMessage.bytes(messages);
        }

        Line line() {
            return line;
        }

        public List<ClaimedMessage> messages() {
            return messages;
        }

        public HeldShards held() {
            return held;
        }

        List<Outcome> outcomes() {
            if (error != null) {
                throw error;
            }
            return outcomes == null ? List.of() : outcomes;
        }

        private boolean hasEnded() {
            return outcomes != null || error != null;
        }

        private void interrupt() {
            if (worker != null) {
                worker.interrupt();
            }
        }
    }

    /** Whether the line has not answered, its answer has not been settled, or too much is under way already. */
    public synchronized boolean isBusy(Line line) {
        return underWay.containsKey(line) || bytes > (MAX_BATCHES - 1) * options.batchBytes();
    }

    public synchronized boolean isIdle() {
        return underWay.isEmpty();
    }

    /** What has not been answered, or whose answer has not been settled. */
    public synchronized List<ClaimedMessage> messages() {
        return underWay.values().stream()
                .flatMap(batch -> batch.messages.stream())
                .toList();
    }

    /** The destinations of what is under way. */
    public synchronized Set<String> destinations() {
        return underWay.values().stream()
                .flatMap(batch -> batch.messages.stream())
                .map(message -> message.envelope().destination())
                .collect(Collectors.toSet());
    }

    /**
     * Makes a batch ready to go.
     *
     * @param named the messages as the broker gets them
     */
    synchronized void add(Line line, List<ClaimedMessage> messages, List<Envelope> named, HeldShards held) {
        var batch = new Batch(line, messages, named, held, time.stopwatch());
        underWay.put(line, batch);
        bytes += batch.bytes;
        awaited.add(line);
        ready.add(batch);
    }

    /** Lets everything go that is ready. */
    public synchronized void start() {
        for (; working < MAX_LINES && !ready.isEmpty(); working++) {
            Batch batch = ready.remove();
            workers.execute(() -> work(batch));
        }
    }

    private void work(Batch first) {
        for (Batch batch = first; batch != null; batch = next()) {
            publish(batch);
        }
    }

    /** A worker that gets none is through. */
    private synchronized @Nullable Batch next() {
        @Nullable Batch next = ready.poll();
        if (next == null) {
            working--;
        }
        return next;
    }

    private void publish(Batch batch) {
        List<Outcome> outcomes = null;
        Error error = null;
        synchronized (this) {
            batch.worker = Thread.currentThread();
        }
        try {
            outcomes = observed(batch);
        } catch (Error e) {
            error = e;
        }
        boolean isAwaited;
        synchronized (this) {
            batch.worker = null;
            batch.outcomes = outcomes;
            batch.error = error;
            isAwaited = awaited.remove(batch.line);
            notifyAll();
        }
        if (!isAwaited) {
            somethingEnded.run();
        }
    }

    private List<Outcome> observed(Batch batch) {
        ObservedCall call = ObservedCall.guarded(() -> listener.publishing(batch.named));
        if (call == ObservedCall.NONE) {
            return publishers.publish(batch.line, batch.named, batch.held.deadline());
        }
        String error = "The publisher failed.";
        try {
            List<Outcome> outcomes = call.run(() -> publishers.publish(batch.line, batch.named, batch.held.deadline()));
            error = outcomes.stream()
                    .map(InFlightPublishes::error)
                    .filter(one -> !one.isEmpty())
                    .findFirst()
                    .orElse("");
            return outcomes;
        } finally {
            call.end(error);
        }
    }

    private static String error(Outcome outcome) {
        return outcome instanceof Outcome.Accepted
                ? ""
                : outcome.fold(
                        () -> "",
                        Outcome.Refused::reason,
                        Outcome.Unavailable::reason,
                        Outcome.Inconclusive::reason,
                        Outcome.Misconfigured::reason,
                        () -> "");
    }

    /** Waits for what was added since the last time, but not longer than this. */
    public synchronized void await(Duration patience) {
        start();
        long begin = System.nanoTime();
        try {
            for (long left = patience.toNanos(); left > 0 && !awaited.isEmpty(); ) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = patience.toNanos() - (System.nanoTime() - begin);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        awaited.clear();
    }

    /** What has been answered; from now on its lines may get more, so it has to be settled before anything is claimed. */
    public synchronized List<Batch> ended() {
        List<Batch> ended = underWay.values().stream().filter(Batch::hasEnded).toList();
        underWay.values().removeAll(ended);
        ended.forEach(batch -> bytes -= batch.bytes);
        return ended.stream().filter(batch -> !batch.disowned).toList();
    }

    /** Something before what is under way could not be settled. Its answers do not count: it is sent again, behind what was before it. */
    public synchronized void disown() {
        underWay.values().forEach(batch -> batch.disowned = true);
    }

    /** Whether a publisher does not come back. */
    public synchronized boolean hangs() {
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
    public synchronized void interruptWhatHangs() {
        var hanging = new ArrayList<String>();
        underWay.values().stream().filter(this::hangs).forEach(batch -> {
            hanging.add(batch.messages.get(0).envelope().destination());
            batch.interrupt();
        });
        if (!hanging.isEmpty()) {
            throw new WaybillException(
                    "Publishing to " + String.join(", ", hanging) + " has not come back for more than "
                            + options.publishTimeout() + ". Until it does, this relay leaves its shards to others.");
        }
    }

    /** Waits for what is under way, but not longer than this. */
    public synchronized void close(Duration patience) {
        awaited.addAll(underWay.keySet());
        underWay.values().stream().filter(Batch::hasEnded).forEach(batch -> awaited.remove(batch.line));
        await(patience);
        underWay.values().forEach(Batch::interrupt);
        workers.shutdown();
    }
}
