package io.waybill.server.doctor;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.ops.RelayNode;
import io.waybill.jdbc.ops.RelayNodes;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.WaitingItem;
import io.waybill.ops.OutboxOperations;
import io.waybill.ops.UnroutedMessages;
import io.waybill.outbox.Unrouted;
import io.waybill.process.store.StuckProcess;
import io.waybill.relay.route.ServedDestinations;
import io.waybill.server.cli.Ages;
import io.waybill.server.config.RelayConfig;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.outbox.PausedDestination;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Looks at who sends the messages of a source, and at those that were not sent or not handled. */
final class TrafficDoctor {

    private static final int MAX_STUCK = 100;

    /** What the checks of relays, lag, refused and failed messages are about. */
    private static final Set<WaitingItem.Kind> ELSEWHERE =
            Set.of(WaitingItem.Kind.DESTINATION, WaitingItem.Kind.MESSAGE, WaitingItem.Kind.HANDLER);

    private final RelayConfig.Source source;
    private final Duration tolerableLag;
    private final Findings findings;

    TrafficDoctor(RelayConfig.Source source, Duration tolerableLag, Findings findings) {
        this.source = source;
        this.tolerableLag = tolerableLag;
        this.findings = findings;
    }

    void look(DataSource pool, Dialect dialect) {
        List<DestinationStats> stats;
        List<PausedDestination> paused;
        List<RelayNode> nodes;
        boolean tellsAges = true;
        if (source.layout().isPresent()) {
            try (var table =
                    AdoptedTable.open(pool, source.layout().get(), AdoptedTable.Setup.NOTHING, Time.system())) {
                stats = table.stats();
                paused = table.admin().paused();
                tellsAges = table.tellsAges();
                table.notices().forEach(notice -> findings.warn("rows", notice.text(), notice.advice()));
            }
            nodes = new RelayNodes(pool, dialect, source.layout().get().prefix()).all();
        } else {
            JdbcStore store = own(pool);
            stats = new OutboxOperations(store.admin()).stats();
            paused = store.admin().paused();
            nodes = store.relayNodes();
            failed(store);
            processes(store);
            waiting(store);
        }
        relays(nodes, stats);
        if (source.layout().isEmpty() && nodes.stream().anyMatch(RelayNode::isAlive)) {
            unrouted(own(pool));
        }
        paused(paused);
        Set<String> names = paused.stream().map(PausedDestination::destination).collect(Collectors.toSet());
        lag(stats, names, tellsAges);
    }

    private void paused(List<PausedDestination> paused) {
        paused.forEach(one -> findings.warn(
                "paused",
                one.destination() + " has been paused since " + one.since().truncatedTo(ChronoUnit.SECONDS) + ", "
                        + one.why().replaceFirst("^paused ", "") + ".",
                "When its messages may be sent: waybill outbox resume " + one.destination() + ofLayout()));
    }

    private JdbcStore own(DataSource pool) {
        return JdbcStore.on(pool, JdbcStoreOptions.DEFAULT.withPrefix(source.prefix()), Time.system());
    }

    private void relays(List<RelayNode> nodes, List<DestinationStats> stats) {
        List<RelayNode> alive = nodes.stream()
                .filter(node -> node.isAlive() && !node.isOverdue())
                .toList();
        long pending = stats.stream().mapToLong(DestinationStats::pending).sum();
        nodes.stream().filter(RelayNode::isOverdue).forEach(this::overdue);
        String advice =
                "Start the application whose relay sends them; for an application that only appends, start a relay"
                        + " service: waybill relay run";
        if (!alive.isEmpty()) {
            findings.ok("relays", alive.size() + (alive.size() == 1 ? " relay is alive" : " relays are alive"));
        } else if (pending > 0) {
            findings.bad("relays", "No relay is alive, and " + pending + " messages wait.", advice);
        } else {
            findings.warn("relays", "No relay is alive; nothing waits.", advice);
        }
    }

    private void overdue(RelayNode node) {
        findings.warn(
                "relays",
                node.relay() + " has not renewed its leases since "
                        + node.renewedAt().truncatedTo(ChronoUnit.SECONDS)
                        + " (" + Ages.words(node.silence()) + " ago)"
                        + (node.shards() == 0
                                ? "."
                                : " and has " + node.shards() + " shards, which are free in " + Ages.words(node.left())
                                        + "."),
                "Check that its process runs. Other relays take its shards once they are free.");
    }

    /** Where a relay lives, each destination for which messages wait must be one of a relay. */
    private void unrouted(JdbcStore store) {
        var served = new ServedDestinations(store::served, Unrouted.WARN);
        served.refresh();
        Instant now = Clock.systemUTC().instant();
        UnroutedMessages.among(new OutboxOperations(store.admin()), served)
                .forEach(one -> findings.bad(
                        "unrouted",
                        one.words(now),
                        "Add a route, subscriber or handler for it to the application, or to the relay service that"
                                + " sends its messages."));
    }

    /** @param paused what waits for these waits for an operator, which is said elsewhere */
    private void lag(List<DestinationStats> stats, Set<String> paused, boolean tellsAges) {
        Instant now = Clock.systemUTC().instant();
        List<String> late = new ArrayList<>();
        for (var one : stats) {
            Instant oldest = one.pending() + one.waiting() > 0 ? one.oldestPending() : null;
            if (oldest != null
                    && !paused.contains(one.destination())
                    && Ages.of(oldest, now).compareTo(tolerableLag) > 0) {
                late.add(one.destination() + " since " + Ages.words(Ages.of(oldest, now)) + " ("
                        + (one.pending() + one.waiting()) + " messages)");
            }
        }
        long pending = stats.stream().mapToLong(DestinationStats::pending).sum();
        if (!tellsAges && pending > 0) {
            findings.warn(
                    "lag",
                    pending + " messages wait, and no column tells since when.",
                    "Look again: if their number does not fall, look at the relay's log.");
        } else if (late.isEmpty()) {
            findings.ok("lag", "nothing waits for more than " + Ages.words(tolerableLag));
        } else {
            findings.bad(
                    "lag",
                    "Messages wait: " + String.join(", ", late) + ".",
                    "Look at the relay's log and at the destination; 'waybill outbox list" + ofLayout()
                            + " --destination ...' shows their last errors.");
        }
        String refused = stats.stream()
                .filter(one -> one.failed() > 0)
                .map(one -> one.failed() + " to " + one.destination()
                        + (one.held() > 0 ? " with " + one.held() + " held behind them" : ""))
                .collect(Collectors.joining(", "));
        if (!refused.isEmpty()) {
            findings.warn(
                    "refused",
                    "Messages were refused for the last time: " + refused + ".",
                    "waybill outbox list --status failed" + ofLayout()
                            + "; fix the cause, then waybill outbox replay or discard.");
        }
    }

    private void failed(JdbcStore store) {
        long count = store.failedMessages().count(FailedSelection.all());
        if (count > 0) {
            findings.warn("failed", count + " messages could not be handled.", "waybill failed groups");
        }
    }

    /** Which commands are handled on this database, only the application knows: a message that is gone is not noticed here. */
    private void processes(JdbcStore store) {
        List<StuckProcess> stuck;
        try {
            stuck = store.processStore(PayloadCodec.found()).stuck(Set.of(), MAX_STUCK);
        } catch (WaybillException e) {
            findings.warn(
                    "processes",
                    "They could not be read: " + source.database().redacted(String.valueOf(e.getMessage())),
                    "Grant SELECT on process_instance, process_step and command to this user, or run doctor as a user"
                            + " who has it.");
            return;
        }
        if (!stuck.isEmpty()) {
            findings.bad(
                    "processes",
                    (stuck.size() < MAX_STUCK ? "" : "At least ") + stuck.size() + " wait for something that does not"
                            + " exist. The oldest: " + stuck.get(0) + ".",
                    "Nothing will move them: waybill process retry, or cancel.");
        }
    }

    /** What other checks do not say. */
    private void waiting(JdbcStore store) {
        List<WaitingItem> unusual;
        try {
            unusual = store.waiting(tolerableLag).waiting().stream()
                    .filter(WaitingItem::unusual)
                    .toList();
        } catch (WaybillException e) {
            findings.warn(
                    "waiting",
                    "It could not be read: " + source.database().redacted(String.valueOf(e.getMessage())),
                    "Grant SELECT on the tables of Waybill to this user, or run doctor as a user who has it.");
            return;
        }
        unusual.stream()
                .filter(one -> !ELSEWHERE.contains(one.kind()))
                .forEach(one -> findings.warn(
                        "waiting",
                        one.kind().word() + " " + one.name() + ": " + one.why()
                                + one.begun()
                                        .map(since -> ", since "
                                                + Ages.words(Ages.of(
                                                        since, Clock.systemUTC().instant())))
                                        .orElse("")
                                + ".",
                        "Ends when " + one.endedBy() + "."));
        if (unusual.isEmpty()) {
            findings.ok("waiting", "nothing waits unusually");
        }
    }

    private String ofLayout() {
        return source.layout().map(layout -> " --layout " + layout.name()).orElse("");
    }
}
