package io.waybill.process;

import io.waybill.Time;
import io.waybill.store.Transaction;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Processes as this node has just written them. The next answer is usually heard here too, and then the process need not be read again:
 * whoever writes says which event he has seen last, so that a decision on something older is refused, and made again on what was read.
 *
 * <p>Only processes that wait for a single thing are kept; branches would often be outdated by each other. The garbage collector may take
 * any of them.
 *
 * <p><i>Threads:</i> safe.
 */
final class RecentProcesses {

    /** For tests: whether any are kept. */
    static volatile boolean enabled = true;

    private static final int MOST = 10_000;

    /** When there is no room: one of so many new ones drives out the oldest. */
    private static final int NEW_FOR_OLD = 16;

    /** How long this node's clock is trusted to run as the database's does. */
    private static final Duration ASK_FOR_THE_TIME = Duration.ofSeconds(10);

    private final Time time;
    private final Map<UUID, SoftReference<ProcessState>> states = new LinkedHashMap<>();
    private Duration ahead = Duration.ZERO;
    private Time.@Nullable Stopwatch sinceAsked;
    private int turnedAway;

    RecentProcesses(Time time) {
        this.time = time;
    }

    /** The process as it was written last, unless it has to be read. Whoever takes it has it alone. */
    synchronized Optional<ProcessStore.Locked> take(UUID processId) {
        @Nullable SoftReference<ProcessState> kept = states.remove(processId);
        @Nullable ProcessState state = kept == null ? null : kept.get();
        if (state == null || sinceAsked == null || sinceAsked.hasReached(ASK_FOR_THE_TIME)) {
            return Optional.empty();
        }
        Instant now = time.clock().instant().plus(ahead).truncatedTo(ChronoUnit.MICROS);
        return Optional.of(new ProcessStore.Locked(state, now));
    }

    /** The database was asked, and said what time it is. */
    synchronized void read(ProcessStore.Locked locked) {
        sinceAsked = time.stopwatch();
        ahead = Duration.between(time.clock().instant(), locked.now());
    }

    /** Keeps what was decided, once it is committed, instead of what was known before. */
    void decided(Transaction transaction, Decision decision) {
        transaction.afterCommit(() -> keep(decision.after()));
    }

    private synchronized void keep(ProcessState state) {
        states.remove(state.processId());
        if (!state.waitsForOne() || !enabled) {
            return;
        }
        boolean isFull = states.size() >= MOST;
        if (!isFull || isOneOfFew()) {
            if (isFull) {
                UUID oldest = states.keySet().iterator().next();
                states.remove(oldest);
            }
            states.put(state.processId(), new SoftReference<>(state));
        }
    }

    /**
     * Whether the oldest has to go for this one. If it never had, those that are never asked for here again would stay; if it always had, a backlog
     * that does not fit would leave nothing of use: the oldest is the next that is asked for.
     */
    private boolean isOneOfFew() {
        turnedAway = (turnedAway + 1) % NEW_FOR_OLD;
        return turnedAway == 0;
    }
}
