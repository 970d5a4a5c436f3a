package io.waybill.process;

import io.waybill.Time;
import io.waybill.process.message.Decision;
import io.waybill.process.state.ProcessState;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.Transaction;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processes as this node has just written them. The next reply is usually heard here too, and then the process need not be read again:
 * a write names the last event that it has seen, so that a decision on an older state is refused and made again on the state read anew.
 *
 * <p>Only processes that wait for a single thing are kept; branches would often be outdated by each other. The garbage collector may take
 * any of them.
 *
 * <p><i>Threads:</i> safe. Processes are spread over {@link Stripe stripes}, so that handlers seldom wait for each other.
 */
final class RecentProcesses {

    /** For tests: whether any are kept. */
    static volatile boolean enabled = true;

    private static final int STRIPES = 16;
    private static final int MAX_PER_STRIPE = 640;

    /** When there is no room: one of so many new ones drives out the oldest. */
    private static final int NEW_FOR_OLD = 16;

    /** How long this node counts on from what the database has said. */
    private static final Duration ASK_FOR_THE_TIME = Duration.ofSeconds(10);

    private final Time time;
    private final List<Stripe> stripes =
            Stream.generate(Stripe::new).limit(STRIPES).toList();
    private volatile @Nullable Asked asked;

    RecentProcesses(Time time) {
        this.time = time;
    }

    /** What time it was on the database, and how long ago: the clock of this node may be set meanwhile. */
    private record Asked(Instant said, Time.Stopwatch ago) {}

    /** The process as it was last written, unless it has to be read. The caller has it alone. */
    Optional<ProcessStore.Locked> take(UUID processId) {
        @Nullable ProcessState state = stripe(processId).take(processId);
        return state == null ? Optional.empty() : now().map(now -> new ProcessStore.Locked(state, now));
    }

    /** The database's time; nothing when the database has not been asked for long. */
    Optional<Instant> now() {
        @Nullable Asked known = asked;
        return known == null || known.ago.mayHaveReached(ASK_FOR_THE_TIME)
                ? Optional.empty()
                : Optional.of(known.said.plus(known.ago.elapsed()).truncatedTo(ChronoUnit.MICROS));
    }

    /** The database was asked, and said what time it is. */
    void asked(Instant now) {
        asked = new Asked(now, time.stopwatch());
    }

    /** Keeps what was decided, once it is committed, instead of what was known before. */
    void decided(Transaction transaction, Decision decision) {
        ProcessState state = decision.after();
        transaction.afterCommit(() -> stripe(state.processId()).keep(state, enabled && state.waitsForOne()));
    }

    /** The low half of a UUID is random, whatever its version. */
    private Stripe stripe(UUID processId) {
        return stripes.get((int) processId.getLeastSignificantBits() & STRIPES - 1);
    }

    /** A share of all processes. */
    private static final class Stripe {
        private final Map<UUID, SoftReference<ProcessState>> states = new LinkedHashMap<>();
        private int turnedAway;

        synchronized @Nullable ProcessState take(UUID processId) {
            @Nullable SoftReference<ProcessState> kept = states.remove(processId);
            return kept == null ? null : kept.get();
        }

        synchronized void keep(ProcessState state, boolean wanted) {
            states.remove(state.processId());
            boolean isFull = states.size() >= MAX_PER_STRIPE;
            if (!wanted || (isFull && !isOneOfFew())) {
                return;
            }
            if (isFull) {
                states.remove(states.keySet().iterator().next());
            }
            states.put(state.processId(), new SoftReference<>(state));
        }

        /**
         * Whether the oldest has to go for this one. If it never had, those that are never asked for here again would stay; if it always
         * had, a backlog that does not fit would leave nothing of use: the oldest is the next that is asked for.
         */
        private boolean isOneOfFew() {
            turnedAway = (turnedAway + 1) % NEW_FOR_OLD;
            return turnedAway == 0;
        }
    }
}
