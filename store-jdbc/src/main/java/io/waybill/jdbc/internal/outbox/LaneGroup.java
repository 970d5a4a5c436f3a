package io.waybill.jdbc.internal.outbox;

import static java.util.stream.Collectors.joining;

import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lanes of one destination that are read together, in insertion order, up to as many rows as they may have together.
 *
 * @param limits how many rows each lane should give
 */
record LaneGroup(String destination, Map<Lane, Integer> limits) {

    /** A lane that wants so many times the average is busy: it must not keep the others from their few. */
    private static final int BUSY = 3;

    /** All lanes of a destination together, or the busy ones and the others. */
    static List<LaneGroup> of(Map<Lane, Integer> limits) {
        Map<String, Map<Lane, Integer>> destinations = new LinkedHashMap<>();
        limits.forEach((lane, limit) -> destinations
                .computeIfAbsent(lane.destination(), destination -> new LinkedHashMap<>())
                .put(lane, limit));
        var shares = new ArrayList<LaneGroup>();
        destinations.forEach((destination, lanes) -> shares.addAll(new LaneGroup(destination, lanes).withoutTheBusy()));
        return shares;
    }

    private List<LaneGroup> withoutTheBusy() {
        long busyFrom = (long) BUSY * limit() / limits.size();
        Map<Lane, Integer> busy = new LinkedHashMap<>();
        Map<Lane, Integer> others = new LinkedHashMap<>();
        limits.forEach((lane, limit) -> (limit > busyFrom ? busy : others).put(lane, limit));
        return busy.isEmpty()
                ? List.of(this)
                : List.of(new LaneGroup(destination, busy), new LaneGroup(destination, others));
    }

    /** Whether these are all lanes of the destination. */
    boolean isWhole() {
        return limits.size() == OutboxStore.SHARDS;
    }

    Set<Lane> lanes() {
        return limits.keySet();
    }

    int limit() {
        return limits.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** An array of shards as PostgreSQL writes it. */
    String shards() {
        return lanes().stream().map(lane -> String.valueOf(lane.shard())).collect(joining(",", "{", "}"));
    }
}
