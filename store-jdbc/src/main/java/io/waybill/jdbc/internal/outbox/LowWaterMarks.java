package io.waybill.jdbc.internal.outbox;

import io.waybill.jdbc.internal.outbox.PostgresOutboxStore.Row;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.OutboxStore;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far each lane has been read for good, so that a claim need not walk over the remains of rows that were sent.
 *
 * <p>A row may be stepped over only when it is certain that it is gone and that nothing smaller can appear: its id is at or below
 * the {@link VisibilityHorizon}, and every smaller row that was ever claimed has been settled. When rows become pending again the
 * {@code rewind} of a lease changes, and everything is read from its start.
 *
 * <p>What a claim leaves out because its key is being worked on it has not seen. So as long as a message is being worked on, its lane is
 * read for good only as far as the claim has seen that gave the message: another one of its key may have been committed since, with a
 * smaller id.
 *
 * <p><i>Threads:</i> safe.
 */
final class LowWaterMarks {

    /** Of each destination, shard by shard. */
    private final Map<String, @Nullable Progress[]> destinations = new HashMap<>();

    /** Where to read on, if there was no rewind since. */
    synchronized Mark of(LaneGroup group) {
        @Nullable Mark first = null;
        for (Lane lane : group.lanes()) {
            @Nullable Progress progress = of(lane.shard(), lane.destination());
            if (progress == null || (first != null && first.rewind != progress.rewind)) {
                return Mark.START;
            }
            if (first == null || progress.mark() < first.position) {
                first = new Mark(progress.mark(), progress.rewind);
            }
        }
        return first == null ? Mark.START : first;
    }

    /**
     * Where to read on behind everything that was claimed, settled or not, if there was no rewind since; none when it is not certain
     * that nothing will appear before it.
     */
    synchronized Stream<Mark> after(LaneGroup group) {
        long seen = Long.MAX_VALUE;
        long last = 0;
        Mark mark = Mark.START;
        for (Lane lane : group.lanes()) {
            @Nullable Progress progress = of(lane.shard(), lane.destination());
            if (progress == null) {
                return Stream.empty();
            }
            seen = Math.min(seen, progress.seen);
            last = Math.max(last, progress.last());
            mark = new Mark(seen, progress.rewind);
        }
        return last <= seen ? Stream.of(mark) : Stream.empty();
    }

    /**
     * The same as {@link #claimed} for what was read {@link #after} all the rest.
     *
     * @return false when there was a rewind, so that the rest was read again
     */
    synchronized boolean prefetched(List<LaneGroup> groups, List<Row> rows, long rewind, long horizon) {
        Map<Lane, Progress> before = new HashMap<>();
        for (LaneGroup group : groups) {
            for (Lane lane : group.lanes()) {
                @Nullable Progress progress = of(lane.shard(), lane.destination());
                if (progress == null || progress.rewind != rewind) {
                    return false;
                }
                before.put(lane, progress);
            }
        }
        claimed(groups, rows, rewind, horizon, Map.of(), before);
        return true;
    }

    /**
     * These shares were read, after the horizon was certain.
     *
     * @param rows what they gave, in the order of the positions
     * @param rewind how often there had been a rewind
     * @param inFlight the positions of messages that were left out with all others of their keys, by lane
     */
    synchronized void claimed(
            List<LaneGroup> groups, List<Row> rows, long rewind, long horizon, Map<Lane, Set<Long>> inFlight) {
        claimed(groups, rows, rewind, horizon, inFlight, Map.of());
    }

    private void claimed(
            List<LaneGroup> groups,
            List<Row> rows,
            long rewind,
            long horizon,
            Map<Lane, Set<Long>> inFlight,
            Map<Lane, Progress> before) {
        var given = new int[groups.size()];
        var last = new long[groups.size()];
        for (Row row : rows) {
            given[row.group()]++;
            last[row.group()] = row.message().position();
        }
        for (int i = 0; i < given.length; i++) {
            LaneGroup group = groups.get(i);
            long read = given[i] < group.limit() ? Long.MAX_VALUE : last[i];
            for (Lane lane : group.lanes()) {
                var progress = new Progress(
                        rewind, Math.min(read, horizon), proofs(lane, rewind, inFlight.getOrDefault(lane, Set.of())));
                if (before.containsKey(lane)) {
                    before.get(lane).addOpenTo(progress);
                }
                put(lane, progress);
            }
        }
        for (Row row : rows) {
            ClaimedMessage message = row.message();
            @Nullable Progress progress = of(message.shard(), message.envelope().destination());
            if (progress != null) {
                progress.add(message.position());
            }
        }
    }

    /** For each of these messages of a lane, how far the claim had seen that gave it. */
    private Map<Long, Long> proofs(Lane lane, long rewind, Set<Long> inFlight) {
        @Nullable Progress known = of(lane.shard(), lane.destination());
        Map<Long, Long> proofs = new HashMap<>();
        for (long position : inFlight) {
            proofs.put(position, known == null || known.rewind != rewind ? 0 : known.proofOf(position));
        }
        return proofs;
    }

    /** These rows are pending no more. */
    synchronized void settled(Collection<ClaimedMessage> rows) {
        for (ClaimedMessage row : rows) {
            @Nullable Progress progress = of(row.shard(), row.envelope().destination());
            if (progress != null) {
                progress.settle(row.position());
            }
        }
    }

    /**
     * Where nothing was found, everything is read from its start next time: there is little to step over, and somebody may have
     * changed a row by hand.
     */
    synchronized void forgetTheIdle() {
        destinations
                .values()
                .removeIf(shards -> Arrays.stream(shards).allMatch(shard -> shard == null || shard.size == 0));
    }

    private @Nullable Progress of(int shard, String destination) {
        @Nullable Progress[] shards = destinations.get(destination);
        return shards == null ? null : shards[shard];
    }

    private void put(Lane lane, Progress progress) {
        destinations.computeIfAbsent(lane.destination(), none -> new Progress[OutboxStore.SHARDS])[lane.shard()] =
                progress;
    }

    /** A position, and the number of rewinds for which it holds. */
    record Mark(long position, long rewind) {
        static final Mark START = new Mark(0, -1);
    }

    private static final class Progress {
        final long rewind;
        /** Below this, everything has been seen that will ever be there. */
        private final long seen;

        private final BitSet settled = new BitSet();
        private long[] positions = new long[32];
        private int size;

        /** How far had been seen by the claims that gave the messages that are still being worked on. */
        private final Map<Long, Long> proofs;

        Progress(long rewind, long seen, Map<Long, Long> proofs) {
            long proven = seen;
            for (var proof : proofs.entrySet()) {
                proven = Math.min(proven, Math.min(proof.getKey() - 1, proof.getValue()));
            }
            this.rewind = rewind;
            this.seen = proven;
            this.proofs = proofs;
        }

        long proofOf(long position) {
            return Arrays.binarySearch(positions, 0, size, position) >= 0 ? seen : proofs.getOrDefault(position, 0L);
        }

        void add(long position) {
            if (size == positions.length) {
                positions = Arrays.copyOf(positions, 2 * size);
            }
            positions[size++] = position;
        }

        /** What is not settled yet. */
        void addOpenTo(Progress next) {
            for (int at = settled.nextClearBit(0); at < size; at = settled.nextClearBit(at + 1)) {
                next.add(positions[at]);
            }
        }

        long last() {
            return size == 0 ? 0 : positions[size - 1];
        }

        void settle(long position) {
            int at = Arrays.binarySearch(positions, 0, size, position);
            if (at >= 0) {
                settled.set(at);
            }
        }

        long mark() {
            int open = settled.nextClearBit(0);
            return open < size ? Math.min(positions[open] - 1, seen) : seen;
        }
    }
}
