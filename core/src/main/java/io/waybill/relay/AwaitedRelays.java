package io.waybill.relay;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.waybill.store.LeaseStore.LeaseTable.Row;
import io.waybill.store.OutboxStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** For whose shards a relay waits, said once for each set of relays. */
final class AwaitedRelays {

    private static final Logger log = LoggerFactory.getLogger(AwaitedRelays.class);

    private final String relay;
    private Set<String> names = Set.of();
    private String text = "";

    AwaitedRelays(String relay) {
        this.relay = relay;
    }

    /** @param owners of the shards; none when the relay has its share */
    void look(List<Row> owners) {
        Map<String, List<Row>> others = owners.stream()
                .filter(row -> !row.owner().isEmpty() && !row.owner().equals(relay) && !row.expired())
                .collect(groupingBy(Row::owner, TreeMap::new, toList()));
        text = others.entrySet().stream()
                .map(other -> other.getKey() + " holds " + other.getValue().size() + " of " + OutboxStore.SHARDS
                        + " shards, for another "
                        + other.getValue().get(0).left().toSeconds() + " s unless it renews them")
                .collect(joining(", "));
        if (!others.isEmpty() && !others.keySet().equals(names)) {
            log.info("WB-117 Relay {} waits for shards of others: {}.", relay, text);
        }
        names = Set.copyOf(others.keySet());
    }

    @Override
    public String toString() {
        return text;
    }
}
