package io.waybill.jdbc;

import io.waybill.jdbc.PostgresOutboxStore.Row;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.Lane;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far each lane has been read for good, so that a claim need not walk over the remains of rows that were sent.
 *
 * <p>A row may be stepped over only when it is certain that it is gone and that nothing smaller can appear: its id is at or below
 * the {@link Horizon}, and every smaller row that was ever claimed has been settled. When rows become pending again the lease's
 * {@code rewind} changes, and the lane is read from its start.
 *
 * <p><i>Threads:</i> safe.
 */
final class Marks {

    private final Map<Lane, Progress> lanes = new HashMap<>();

    /** Where to read on, if the lease's rewind is still {@link Mark#rewind}. */
    synchronized Mark of(Lane lane) {
        Progress progress = lanes.get(lane);
        return progress == null ? Mark.START : new Mark(progress.mark(), progress.rewind);
    }

    /**
     * These rows of these lanes were read, after the horizon was certain. A lane that gave nothing is read from its start next time:
     * there is nothing to step over.
     */
    synchronized void claimed(Collection<Lane> read, Collection<Row> rows, long horizon) {
        lanes.keySet().removeAll(read);
        for (Row row : rows) {
            lanes.computeIfAbsent(row.message().lane(), lane -> new Progress(row.rewind(), horizon))
                    .add(row.message().position());
        }
    }

    /** These rows are pending no more. */
    synchronized void settled(Collection<ClaimedMessage> rows) {
        for (ClaimedMessage row : rows) {
            @Nullable Progress progress = lanes.get(row.lane());
            if (progress != null) {
                progress.outstanding.remove(row.position());
            }
        }
    }

    /** A position, and the rewind of the lease for which it holds. */
    record Mark(long position, long rewind) {
        static final Mark START = new Mark(0, -1);
    }

    private static final class Progress {
        final long rewind;
        final long horizon;
        final Set<Long> outstanding = new HashSet<>();
        long last;

        Progress(long rewind, long horizon) {
            this.rewind = rewind;
            this.horizon = horizon;
        }

        void add(long position) {
            outstanding.add(position);
            last = Math.max(last, position);
        }

        long mark() {
            long settled = outstanding.stream().mapToLong(Long::longValue).min().orElse(last + 1) - 1;
            return Math.min(settled, horizon);
        }
    }
}
