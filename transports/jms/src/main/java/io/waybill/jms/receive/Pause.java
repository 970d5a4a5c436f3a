package io.waybill.jms.receive;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits longer each time, until something worked: 100 ms, 200 ms … 10 s. Ends at once when it is time to stop. */
public final class Pause {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final CountDownLatch stop;
    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    Pause(CountDownLatch stop) {
        this(stop, SHORTEST, LONGEST);
    }

    public Pause(CountDownLatch stop, Duration shortest, Duration longest) {
        this.stop = stop;
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    boolean isStopping() {
        return stop.getCount() == 0;
    }

    /** How long the next one will be. */
    Duration next() {
        return next;
    }

    /** Returns whether it is time to stop. */
    boolean await() {
        Duration pause = next;
        next = pause.multipliedBy(2).compareTo(longest) > 0 ? longest : pause.multipliedBy(2);
        try {
            return stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Only our own latch ends a subscription: whoever interrupts a receiver has ended that receiver alone.
            return isStopping();
        }
    }

    void reset() {
        next = shortest;
    }
}
