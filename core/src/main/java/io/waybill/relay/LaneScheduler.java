package io.waybill.relay;

import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.OutboxStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * From which lanes to claim, and how much: those that filled their share last time divide the batch so that all of them get
 * equally far, the others get a handful; so one busy key is as fast as many, and nobody starves. When messages are so large that a
 * batch would have too many bytes, it has fewer rows.
 */
final class LaneScheduler {

    /** How many messages of a lane may be claimed now. */
    @FunctionalInterface
    interface Admission {
        int limit(Lane lane);
    }

    /** What a lane gets at most where nothing is expected. */
    private static final int HANDFUL = 16;

    private final OutboxStore store;
    private final int batchSize;
    private final long batchBytes;
    private long averageBytes = 1;
    private Set<Lane> known = new HashSet<>();
    private Set<Lane> before = Set.of();
    private Map<Lane, Pace> full = new HashMap<>();

    /** Of the last claim. */
    private Map<Lane, Integer> limits = Map.of();

    LaneScheduler(OutboxStore store, int batchSize, long batchBytes) {
        this.store = store;
        this.batchSize = batchSize;
        this.batchBytes = batchBytes;
    }

    /** Looks which lanes have something. */
    void discover() {
        known = new HashSet<>(store.lanes());
        if (!known.isEmpty()) {
            before = Set.copyOf(known);
        }
    }

    /** Supposes that there is something where there was something before: a guess that spares a woken relay a look. */
    void recall() {
        known.addAll(before);
    }

    /** The next claim is of one message, because there was no memory for more. */
    void claimOne() {
        averageBytes = batchBytes;
    }

    /** Whether nothing more is known to be there. */
    boolean isExhausted() {
        return full.isEmpty();
    }

    /**
     * Claims the next messages, from each lane at most as many as {@code admission} allows.
     *
     * @param exclusions what is being worked on
     * @param takenBytes how many bytes of the batch are taken already
     */
    List<ClaimedMessage> claim(Admission admission, ClaimExclusions exclusions, long takenBytes) {
        limits = limits(admission);
        return claimed(claim(limits, exclusions, batchBytes - takenBytes));
    }

    /** Claims what comes after the last claim, which was a full batch; on whatever thread. Counts only once it is {@link #claimed}. */
    Callable<Claim> prefetch(List<ClaimedMessage> underWay) {
        Map<Lane, Integer> limits = this.limits;
        return () -> store.prefetch(limits, underWay, batchBytes);
    }

    /** Learns from a claim. Returns what it gave. */
    List<ClaimedMessage> claimed(Claim claim) {
        forgetTheEmpty(claim);
        if (!claim.messages().isEmpty()) {
            averageBytes = Math.max(1, claim.bytes() / claim.messages().size());
        }
        return claim.messages();
    }

    /** A message that is larger than what is left has to wait for a batch of its own. */
    private Claim claim(Map<Lane, Integer> limits, ClaimExclusions exclusions, long leftBytes) {
        Claim claim = leftBytes > 0 ? store.claim(limits, exclusions, leftBytes) : new Claim(List.of(), true);
        return leftBytes < batchBytes && claim.bytes() > leftBytes ? new Claim(List.of(), true) : claim;
    }

    private Map<Lane, Integer> limits(Admission admission) {
        int batchSize = (int) Math.max(1, Math.min(this.batchSize, batchBytes / averageBytes));
        Map<Lane, Integer> allowed = new LinkedHashMap<>();
        for (Lane lane : known) {
            int limit = Math.min(admission.limit(lane), batchSize);
            if (limit > 0) {
                allowed.put(lane, limit);
            }
        }
        List<Pace> sharers = allowed.keySet().stream()
                .map(full::get)
                .filter(Objects::nonNull)
                .toList();
        int share = Math.max(1, batchSize / Math.max(1, allowed.size()));
        int handful = Math.min(HANDFUL, Math.max(1, share / 4));
        long goal = Pace.commonGoal(sharers, batchSize - handful * (allowed.size() - sharers.size()));
        allowed.replaceAll((lane, limit) -> {
            Pace pace = full.get(lane);
            int wanted = sharers.isEmpty() ? share : pace == null ? handful : pace.rowsUntil(goal);
            return Math.min(limit, Math.max(wanted, handful));
        });
        return allowed;
    }

    /**
     * A store may read the lanes of a destination together. Then some give more than they should and others less, and there may be
     * more in any of them when they gave all they should together.
     */
    private void forgetTheEmpty(Claim claim) {
        Map<Lane, Pace> paces = new HashMap<>();
        for (ClaimedMessage message : claim.messages()) {
            paces.computeIfAbsent(message.lane(), lane -> new Pace()).add(message.position());
        }
        Map<String, Integer> missing = new HashMap<>();
        limits.forEach((lane, limit) ->
                missing.merge(lane.destination(), limit - paces.getOrDefault(lane, Pace.NONE).rows, Integer::sum));
        full = new HashMap<>();
        limits.forEach((lane, limit) -> {
            Pace given = paces.getOrDefault(lane, Pace.NONE);
            boolean more = claim.cut() || given.rows >= limit || missing.getOrDefault(lane.destination(), 0) <= 0;
            if (!more) {
                known.remove(lane);
            } else if (given.rows > 0) {
                full.put(lane, given);
            }
        });
    }

    /**
     * How densely the rows of a lane lie, and how far it has been read. Lanes that are read up to the same position touch the same
     * pages of the table; lanes that drift apart touch all of them.
     */
    private static final class Pace {

        static final Pace NONE = new Pace();

        private int rows;
        private long first;
        private long last;

        /** Another row of the lane, behind the others. */
        void add(long position) {
            first = rows == 0 ? position : first;
            last = position;
            rows++;
        }

        private double density() {
            return (double) rows / (last - first + 1);
        }

        /** The position up to which all lanes together have about as many rows as a batch. */
        static long commonGoal(Collection<Pace> paces, int batchSize) {
            double rows = batchSize;
            double density = 0;
            for (Pace pace : paces) {
                rows += pace.density() * pace.last;
                density += pace.density();
            }
            return density == 0 ? 0 : Math.round(rows / density);
        }

        int rowsUntil(long goal) {
            return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.round(density() * (goal - last))));
        }
    }
}
