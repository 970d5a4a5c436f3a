package io.waybill.relay.lease;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.waybill.Time;
import io.waybill.observe.WaitingItem;
import io.waybill.store.outbox.LeaseStore.LeaseTable.Row;
import io.waybill.store.outbox.OutboxStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For whose shards a relay waits, said once for each set of relays, and once when it has its share.
 *
 * <p><i>Threads:</i> one looks; others may ask.
 */
public final class AwaitedRelays {

    private static final Logger log = LoggerFactory.getLogger(AwaitedRelays.class);

    private final String relay;
    private final Time time;
    private Set<String> names = Set.of();
    private @Nullable Instant since;
    private volatile String text = "";
    private volatile Optional<WaitingItem> waiting = Optional.empty();

    AwaitedRelays(String relay, Time time) {
        this.relay = relay;
        this.time = time;
    }

    /** @param owners of the shards; none when the relay has its share */
    void look(List<Row> owners) {
        Map<String, List<Row>> others = owners.stream()
                .filter(row -> !row.owner().isEmpty() && !row.owner().equals(relay) && !row.expired())
                .collect(groupingBy(Row::owner, TreeMap::new, toList()));
        if (!others.isEmpty() || !names.isEmpty()) {
            update(others);
        }
    }

    private void update(Map<String, List<Row>> others) {
        Instant now = time.clock().instant();
        since = others.isEmpty() ? null : since == null ? now : since;
        text = others.entrySet().stream()
                .map(other -> other.getKey() + " holds " + other.getValue().size() + " of " + OutboxStore.SHARDS
                        + " shards, for another "
                        + other.getValue().get(0).left().toSeconds() + " s (until "
                        + now.plus(other.getValue().get(0).left()).truncatedTo(ChronoUnit.SECONDS)
                        + ") unless it renews them")
                .collect(joining(", "));
        waiting = others.isEmpty() ? Optional.empty() : Optional.of(waitingFor(others));
        if (others.isEmpty()) {
            log.info("WB-127 Relay {} no longer waits for shards of other relays.", relay);
        } else if (!others.keySet().equals(names)) {
            log.info("WB-117 Relay {} waits for shards of other relays: {}.", relay, text);
        }
        names = Set.copyOf(others.keySet());
    }

    private WaitingItem waitingFor(Map<String, List<Row>> others) {
        return new WaitingItem(
                WaitingItem.Kind.SHARD,
                relay,
                others.values().stream().mapToLong(List::size).sum(),
                since,
                true,
                text,
                "a live relay hands its shards over, or the leases of a dead relay expire",
                "WB-117");
    }

    public Optional<WaitingItem> waiting() {
        return waiting;
    }

    @Override
    public String toString() {
        return text;
    }
}
