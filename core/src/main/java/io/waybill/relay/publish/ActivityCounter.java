package io.waybill.relay.publish;

import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.store.outbox.RelayActivity;
import io.waybill.store.outbox.RelayActivity.Counts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a relay publishes and what is refused, by destination.
 *
 * <p><i>Threads:</i> safe.
 */
public final class ActivityCounter implements RelayListener {

    /** More destinations are counted together. */
    private static final int MAX_COUNTED = 1_000;

    private final Map<String, Counter> byDestination = new ConcurrentHashMap<>();
    private final Counter others = new Counter();

    private static final class Counter {

        private final LongAdder published = new LongAdder();
        private final LongAdder refused = new LongAdder();

        Counts counts() {
            return new Counts(published.sum(), refused.sum());
        }
    }

    @Override
    public void published(List<Envelope> messages, Duration lag) {
        int first = 0;
        // Those of a destination are mostly together.
        for (int i = 1; i <= messages.size(); i++) {
            String destination = messages.get(first).destination();
            if (i == messages.size() || !messages.get(i).destination().equals(destination)) {
                of(destination).published.add(i - first);
                first = i;
            }
        }
    }

    @Override
    public void retried(Envelope message, int attempts, String error, Duration delay) {
        of(message.destination()).refused.increment();
    }

    @Override
    public void failed(Envelope message, int attempts, String error) {
        of(message.destination()).refused.increment();
    }

    private Counter of(String destination) {
        Counter known = byDestination.get(destination);
        if (known != null) {
            return known;
        }
        return byDestination.size() < MAX_COUNTED
                ? byDestination.computeIfAbsent(destination, none -> new Counter())
                : others;
    }

    /**
     * What it has counted so far.
     *
     * @param unavailable destinations that take no messages, and why
     */
    public RelayActivity activity(Map<String, String> unavailable) {
        Map<String, Counts> counts = new HashMap<>();
        byDestination.forEach((destination, counter) -> counts.put(destination, counter.counts()));
        return new RelayActivity(counts, others.counts(), unavailable);
    }
}
