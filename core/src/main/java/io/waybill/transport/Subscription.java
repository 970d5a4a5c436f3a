package io.waybill.transport;

import io.waybill.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;

/** An active subscription. */
public interface Subscription extends AutoCloseable {

    /** How long a receiver waits after failures in a row: 100 ms, 200 ms … 10 s. */
    Backoff BACKOFF = Backoff.exact(Duration.ofMillis(100), Duration.ofSeconds(10));

    /**
     * Takes nothing more from the broker, waits for the message that is being handled, and hands back the rest of its batch, which is
     * delivered again.
     */
    @Override
    void close();

    /**
     * Closes all of them at the same time, which takes as long as the slowest and not as all together.
     *
     * @param timeout after this time it returns, and what is still being handled goes on
     * @return how many are closed
     */
    static int closeAll(Collection<? extends Subscription> subscriptions, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        var closing = new ArrayList<Thread>();
        for (Subscription subscription : subscriptions) {
            var thread = new Thread(subscription::close, "waybill-close-subscription");
            thread.setDaemon(true);
            thread.start();
            closing.add(thread);
        }
        try {
            for (Thread thread : closing) {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return (int) closing.stream().filter(thread -> !thread.isAlive()).count();
    }

    /**
     * Why nothing is received at present, or not from everywhere: the receiver fails, for example because its database is away, or the
     * broker does not answer. It is tried again all the time, and this is empty once it works.
     */
    Optional<String> problem();
}
