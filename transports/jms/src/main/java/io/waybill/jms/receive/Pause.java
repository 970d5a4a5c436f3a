package io.waybill.jms.receive;

import io.waybill.Backoff;
import io.waybill.transport.Subscription;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits longer each time, until something worked. Ends at once when it is time to stop. */
public final class Pause {

    private final CountDownLatch stop;
    private final Backoff backoff;
    private int failures;

    Pause(CountDownLatch stop) {
        this(stop, Subscription.BACKOFF);
    }

    public Pause(CountDownLatch stop, Backoff backoff) {
        this.stop = stop;
        this.backoff = backoff;
    }

    boolean isStopping() {
        return stop.getCount() == 0;
    }

    /** How long the next one will be. */
    Duration next() {
        return backoff.delay(failures);
    }

    /** Returns whether it is time to stop. */
    boolean await() {
        Duration pause = next();
        failures++;
        try {
            return stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Only our own latch ends a subscription: an interrupt ends this receiver alone.
            return isStopping();
        }
    }

    void reset() {
        failures = 0;
    }
}
