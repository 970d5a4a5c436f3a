package io.waybill.server;

import io.waybill.jdbc.Dialect;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.RelayNode;
import io.waybill.jdbc.RelayNodes;
import io.waybill.jdbc.layout.Layout;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "nodes",
        description = {
            "The relays that serve a table, and how many of its 64 shards each has.",
            "",
            "A relay that is not heard of loses its shards when its time is over; others take them."
        },
        mixinStandardHelpOptions = true)
final class RelayNodesCommand implements Callable<Integer> {

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Override
    public Integer call() {
        boolean json = listing.isJson();
        Instant now = Clock.systemUTC().instant();
        var answer = new Answer(
                "relay", "pool", "shards", json ? "startedAt" : "running", json ? "aliveForMillis" : "alive for");
        nodes().forEach(node -> answer.add(
                node.relay(),
                node.pool(),
                node.shards(),
                json ? node.startedAt() : Ages.words(Ages.of(node.startedAt(), now)),
                json
                        ? (Object) node.left().toMillis()
                        : node.isAlive() ? Ages.words(node.left()) : "not heard of any more"));
        return listing.show(answer, "No relay serves it: nothing is sent. Start one with 'waybill relay run'.");
    }

    private List<RelayNode> nodes() {
        String beside = layout.choice().layout().map(Layout::prefix).orElse("");
        return beside.isEmpty()
                ? listing.read(JdbcStore::relayNodes)
                : listing.database().useAny(pool -> {
                    Dialect dialect = JdbcStore.on(pool).dialect();
                    return new RelayNodes(pool, dialect, beside).all();
                });
    }
}
