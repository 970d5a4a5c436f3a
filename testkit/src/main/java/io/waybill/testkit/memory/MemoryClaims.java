package io.waybill.testkit.memory;

import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a relay may send, read from the rows of a {@link MemoryStore}, whose lock the caller holds. */
record MemoryClaims(MemoryStore store) {

    Set<Lane> lanes() {
        return store.outbox.values().stream()
                .filter(MemoryRow::isReady)
                .map(MemoryRow::lane)
                .collect(Collectors.toSet());
    }

    /** The next ones of these lanes, in the order in which they were appended. */
    Claim next(Map<Lane, Integer> limits, Predicate<ClaimedMessage> except, long maxBytes) {
        Map<Lane, Integer> left = new HashMap<>(limits);
        var claimed = new ArrayList<ClaimedMessage>();
        for (MemoryRow row : store.outbox.values()) {
            ClaimedMessage message = row.claimed(store.blocked.containsKey(row.key()) ? State.BLOCKED : State.READY);
            if (row.isReady() && left.getOrDefault(row.lane(), 0) > 0 && !except.test(message)) {
                left.merge(row.lane(), -1, Integer::sum);
                claimed.add(message);
            }
        }
        return Claim.upTo(maxBytes, claimed, ClaimedMessage::bytes);
    }

    /** What was refused before and whose time has come, the longest overdue first. */
    List<ClaimedMessage> due(Collection<Lease> leases, Set<String> except, int limit, long maxBytes) {
        Set<Integer> shards = leases.stream().map(Lease::shard).collect(Collectors.toSet());
        Instant now = store.time.clock().instant();
        List<ClaimedMessage> due = store.outbox.values().stream()
                .filter(row -> row.status.equals("PENDING") && row.availableAt != null)
                .filter(row -> !except.contains(row.envelope.destination()))
                .filter(row -> shards.contains(row.shard) && !now.isBefore(row.due()))
                .sorted(Comparator.comparing(MemoryRow::due))
                .limit(limit)
                .map(row -> row.claimed(State.DUE))
                .toList();
        return Claim.upTo(maxBytes, due, ClaimedMessage::bytes).messages();
    }
}
