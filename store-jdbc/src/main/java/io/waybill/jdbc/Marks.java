package io.waybill.jdbc;

import io.waybill.jdbc.PostgresOutboxStore.Row;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.Lane;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
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
     * These rows of these lanes were read, in the order of their positions, after the horizon was certain. A lane that gave
     * nothing is read from its start next time: there is nothing to step over.
     *
     * @param horizon of each lane: that of the database, or what is before the first row that was left out
     */
    synchronized void claimed(List<Lane> read, List<Row> rows, ToLongFunction<Lane> horizon) {
        var progress = new @Nullable Progress[read.size()];
        for (Row row : rows) {
            Progress lane = progress[row.lane()];
            if (lane == null) {
                lane = new Progress(row.rewind(), horizon.applyAsLong(read.get(row.lane())));
                progress[row.lane()] = lane;
            }
            lane.add(row.message().position());
        }
        for (int i = 0; i < progress.length; i++) {
            Progress lane = progress[i];
            if (lane == null) {
                lanes.remove(read.get(i));
            } else {
                lanes.put(read.get(i), lane);
            }
        }
    }

    /** These rows are pending no more. */
    synchronized void settled(Collection<ClaimedMessage> rows) {
        for (ClaimedMessage row : rows) {
            @Nullable Progress progress = lanes.get(row.lane());
            if (progress != null) {
                progress.settle(row.position());
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
        private final BitSet settled = new BitSet();
        private long[] positions = new long[32];
        private int size;

        Progress(long rewind, long horizon) {
            this.rewind = rewind;
            this.horizon = horizon;
        }

        void add(long position) {
            if (size == positions.length) {
                positions = Arrays.copyOf(positions, 2 * size);
            }
            positions[size++] = position;
        }

        void settle(long position) {
            int at = Arrays.binarySearch(positions, 0, size, position);
            if (at >= 0) {
                settled.set(at);
            }
        }

        long mark() {
            int open = settled.nextClearBit(0);
            return Math.min(open < size ? positions[open] - 1 : positions[size - 1], horizon);
        }
    }
}
