package io.waybill.relay.lease;

import static java.util.stream.Collectors.toMap;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingItem;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.PausedDestination;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The destinations that an operator has paused, as the relay has read them last: nothing of them is claimed, and what was claimed and has
 * not begun is left. What is on its way to a broker, or in a handler, goes on.
 *
 * <p><i>Threads:</i> the relay's own reads; others may ask.
 */
public final class PausedDestinations {

    private static final Logger log = LoggerFactory.getLogger(PausedDestinations.class);

    /** While something is paused, a relay that is woken or has work sees sooner that it is resumed. */
    private static final Duration WHILE_PAUSED = Duration.ofMillis(100);

    private final LeaseStore store;
    private final Time time;
    private final Duration sweepInterval;
    private final RelayListener listener;
    private volatile Map<String, PausedDestination> paused = Map.of();
    private Time.@Nullable Stopwatch sinceRead;

    public PausedDestinations(LeaseStore store, Time time, Duration sweepInterval, RelayListener listener) {
        this.store = store;
        this.time = time;
        this.sweepInterval = sweepInterval;
        this.listener = listener;
    }

    /** Reads them if the last time is long enough ago. */
    public void readWhenDue(Runnable changed) {
        boolean soon = !paused.isEmpty() && WHILE_PAUSED.compareTo(sweepInterval) < 0;
        boolean due = sinceRead == null || sinceRead.hasReached(soon ? WHILE_PAUSED : sweepInterval);
        if (due) {
            read(changed);
        }
    }

    /**
     * Reads them.
     *
     * @param changed runs when the set of paused destinations has changed, before listeners are called
     */
    public void read(Runnable changed) {
        Map<String, PausedDestination> now =
                store.paused().stream().collect(toMap(PausedDestination::destination, one -> one));
        sinceRead = time.stopwatch();
        Map<String, PausedDestination> before = paused;
        paused = now;
        if (!now.keySet().equals(before.keySet())) {
            changed.run();
        }
        now.values().stream()
                .filter(one -> !one.equals(before.get(one.destination())))
                .forEach(this::notifyPaused);
        before.keySet().stream().filter(one -> !now.containsKey(one)).forEach(this::notifyResumed);
    }

    private void notifyPaused(PausedDestination one) {
        log.info(
                "WB-140 {} is {}. Its messages wait until you resume it: 'waybill outbox resume'.",
                one.destination(),
                one.why());
        listener.paused(one.destination(), one.why(), false);
    }

    private void notifyResumed(String destination) {
        log.info("WB-141 {} is resumed.", destination);
        listener.resumed(destination);
    }

    public boolean contains(String destination) {
        Map<String, PausedDestination> now = paused;
        return !now.isEmpty() && now.containsKey(destination);
    }

    public Set<String> names() {
        return paused.keySet();
    }

    /** Each of them: it waits for a person. */
    public List<WaitingItem> waiting() {
        return paused.values().stream().map(one -> WaitingItem.of(one, 1)).toList();
    }
}
