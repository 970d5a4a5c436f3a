package io.waybill.testkit.memory;

import io.waybill.Time;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.SubscriptionState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that give a receiver what a {@link MemoryQueue} has. */
final class MemorySubscription implements Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(MemorySubscription.class);
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final MemoryQueue queue;
    private final SubscriptionOptions options;
    private final Receiver receiver;
    private final SubscriptionState state;
    private final List<Thread> threads;
    private volatile boolean closed;

    private MemorySubscription(MemoryQueue queue, SubscriptionOptions options, Receiver receiver) {
        this.queue = queue;
        this.options = options;
        this.receiver = receiver;
        this.state = new SubscriptionState(LOG, options, Time.system());
        this.threads = IntStream.range(0, options.concurrency())
                .mapToObj(number -> new Thread(this::receive, "waybill-memory-" + options.source() + "-" + number))
                .toList();
    }

    static MemorySubscription start(MemoryQueue queue, SubscriptionOptions options, Receiver receiver) {
        var subscription = new MemorySubscription(queue, options, receiver);
        subscription.threads.forEach(Thread::start);
        return subscription;
    }

    private void receive() {
        while (!closed) {
            if (!receiveBatch()) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Whether there may be more at once. */
    private boolean receiveBatch() {
        MemoryQueue.Batch batch = queue.take(options.batchSize(), options.ordered());
        if (batch.isEmpty()) {
            return false;
        }
        try {
            receiver.receive(batch.deliveries());
            queue.acknowledge(batch);
            state.receives(Thread.currentThread());
            return true;
        } catch (Exception e) {
            state.failed(Thread.currentThread(), "WB-202", e.toString());
            queue.giveBack(batch);
            return false;
        }
    }

    @Override
    public Optional<String> problem() {
        return state.problem();
    }

    @Override
    public void close() {
        closed = true;
        receiver.stop();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        state.closed();
    }
}
