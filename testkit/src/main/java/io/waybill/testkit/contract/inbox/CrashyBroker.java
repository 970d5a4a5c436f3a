package io.waybill.testkit.contract.inbox;

import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Delivers every message twice, in any order, and again whenever a receiver crashed before or after its commit. */
final class CrashyBroker {

    private static final int LARGEST_BATCH = 50;

    private final Deque<Delivery> queue = new ArrayDeque<>();
    private final Random random;
    private final AtomicInteger crashes = new AtomicInteger();

    CrashyBroker(int messages, Random random) {
        this.random = random;
        var deliveries = new ArrayList<Delivery>();
        for (int i = 0; i < messages; i++) {
            Delivery delivery = ReceivingScenario.delivery(UUID.randomUUID(), "key-" + i % 100, String.valueOf(i));
            deliveries.add(delivery);
            deliveries.add(delivery);
        }
        Collections.shuffle(deliveries, random);
        queue.addAll(deliveries);
    }

    /** The process ended in the middle of a handler. */
    static final class Crash extends Error {}

    int crashes() {
        return crashes.get();
    }

    void deliverTo(int receivers, Function<Random, Receiver> newReceiver) throws Exception {
        var threads = Executors.newFixedThreadPool(receivers);
        try {
            var loops = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < receivers; i++) {
                var own = new Random(random.nextLong());
                loops.add(() -> deliver(newReceiver, own));
            }
            for (var loop : threads.invokeAll(loops)) {
                loop.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean deliver(Function<Random, Receiver> newReceiver, Random own) throws Exception {
        Receiver receiver = newReceiver.apply(own);
        for (List<Delivery> batch = take(own); !batch.isEmpty(); batch = take(own)) {
            boolean acknowledged = false;
            try {
                receiver.receive(batch);
                acknowledged = own.nextInt(10) != 0;
            } catch (Crash | RuntimeException e) {
                receiver = newReceiver.apply(own);
            }
            if (!acknowledged) {
                crashes.incrementAndGet();
                putBack(batch);
            }
        }
        return true;
    }

    private synchronized List<Delivery> take(Random own) {
        var batch = new ArrayList<Delivery>();
        int size = 1 + own.nextInt(LARGEST_BATCH);
        while (batch.size() < size && !queue.isEmpty()) {
            batch.add(queue.poll());
        }
        return batch;
    }

    private synchronized void putBack(List<Delivery> batch) {
        queue.addAll(batch);
    }
}
