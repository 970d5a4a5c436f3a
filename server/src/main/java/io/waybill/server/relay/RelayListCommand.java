package io.waybill.server.relay;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.ops.RelayNode;
import io.waybill.jdbc.ops.RelayNodes;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.server.cli.Ages;
import io.waybill.server.cli.Listing;
import io.waybill.server.config.LayoutOptions;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.outbox.OutboxStore;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description = {
            "List the relays that serve a table, and how many of its 64 shards each has.",
            "",
            "A relay that does not renew its leases loses its shards to other relays when the leases expire."
        },
        mixinStandardHelpOptions = true)
final class RelayListCommand implements Callable<Integer> {

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Override
    public Integer call() {
        boolean json = listing.isJson();
        Instant now = Clock.systemUTC().instant();
        var answer = new Listing(
                "relay",
                "pool",
                "shards",
                json ? "startedAt" : "running",
                json ? "renewedAt" : "renewed",
                json ? "leaseRemainingMillis" : "lease remaining",
                json ? "waitsFor" : "waits for");
        List<RelayNode> relays = relays();
        relays.forEach(relay -> answer.add(
                relay.relay(),
                relay.pool(),
                relay.shards(),
                json ? relay.startedAt() : Ages.words(Ages.of(relay.startedAt(), now)),
                json
                        ? relay.renewedAt()
                        : Ages.words(relay.silence()) + " ago" + (relay.isOverdue() ? ", overdue" : ""),
                json ? (Object) relay.left().toMillis() : relay.isAlive() ? Ages.words(relay.left()) : "ended",
                awaited(relay, relays)));
        return listing.show(answer, "No relay serves it: nothing is sent. Start one with 'waybill relay run'.");
    }

    /** Whose shards a relay waits for: those of relays that have more than their share, or that do not renew their leases. */
    private static String awaited(RelayNode relay, List<RelayNode> relays) {
        List<RelayNode> pool = relays.stream()
                .filter(other -> other.pool().equals(relay.pool()) && other.isAlive())
                .toList();
        int share = OutboxStore.SHARDS / Math.max(1, pool.size());
        return relay.isOverdue() || relay.shards() >= share
                ? ""
                : pool.stream()
                        .filter(other -> !other.relay().equals(relay.relay()) && other.shards() > share)
                        .map(other -> other.relay() + " (" + other.shards() + " shards, "
                                + (other.isOverdue() ? "free in " + Ages.words(other.left()) : "hands them over") + ")")
                        .collect(Collectors.joining(", "));
    }

    private List<RelayNode> relays() {
        String beside = layout.choice().layout().map(Layout::prefix).orElse("");
        return beside.isEmpty()
                ? listing.read(JdbcStore::relayNodes)
                : listing.database().useAny(pool -> {
                    Dialect dialect = JdbcStore.on(pool).dialect();
                    return new RelayNodes(pool, dialect, beside).all();
                });
    }
}
