package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;

import io.waybill.console.rate.ActivityRates;
import io.waybill.console.rate.History;
import io.waybill.jdbc.ops.StoredBacklog;
import io.waybill.observe.WaitingItem;
import io.waybill.ops.WaitingWatch;
import io.waybill.outbox.Unrouted;
import io.waybill.process.state.ProcessStatus;
import io.waybill.relay.route.ServedDestinations;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.outbox.PausedDestination;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wrong, since when, and what to do about it. */
final class OverviewApi {

    private static final int COST = 26;
    private static final int MAX_ITEMS = 200;
    private static final int MAX_COUNTED = 10_001;

    private static final Set<ProcessStatus> OPEN =
            EnumSet.of(ProcessStatus.NEW, ProcessStatus.RUNNING, ProcessStatus.COMPENSATING, ProcessStatus.PAUSED);

    private final Map<String, History> histories = new ConcurrentHashMap<>();

    List<ApiRoute> routes() {
        return List.of(
                get(
                        "/api/databases/{database}/processes/counts",
                        "How many processes each status has, counted no further than 10,001",
                        ProcessCounts.class,
                        call -> new ProcessCounts(processes(call.database()))),
                get(
                                "/api/databases/{database}/overview",
                                "What waits and what is wrong, destinations and counts",
                                Overview.class,
                                this::overview)
                        .costing(COST));
    }

    record ProcessCounts(Map<String, Long> statuses) {}

    /** Something that waits; what is unusual comes first. */
    record WaitingView(
            String kind,
            String name,
            long count,
            @Nullable Instant since,
            boolean unusual,
            String why,
            String endedBy,
            String code) {

        static WaitingView of(WaitingItem item) {
            return new WaitingView(
                    item.kind().word(),
                    item.name(),
                    item.count(),
                    item.since(),
                    item.unusual(),
                    item.why(),
                    item.endedBy(),
                    item.code());
        }
    }

    /**
     * A destination for which messages wait or were published, or that is paused.
     *
     * @param state {@code ok}, {@code paused}, {@code unavailable}, {@code retrying}, {@code failing} or {@code not served}
     * @param publishedPerSecond what relays publish or handle; null while it is not known
     * @param unavailable why a relay cannot deliver what waits for it; null when relays can
     * @param refusedShare which part of the attempts was refused, from 0 to 1; null when there was none
     */
    record DestinationView(
            String destination,
            String state,
            long pending,
            long waiting,
            long held,
            long failed,
            int maxAttempts,
            @Nullable Instant oldestPending,
            @Nullable Double publishedPerSecond,
            @Nullable Double refusedShare,
            @Nullable String unavailable,
            RelayApi.@Nullable PausedView paused) {}

    /**
     * The overview of a database.
     *
     * @param oldestUnpublished when the oldest message that waits to be published was appended
     * @param failedPublishing messages of the outbox that were refused for the last time
     * @param failedHandling messages that could not be handled
     * @param inPerSecond how many messages are appended, about; null while it is not known
     * @param outPerSecond how many messages are published or handled; null while it is not known
     * @param processes by status, counted no further than 10,001
     */
    record Overview(
            String database,
            Instant at,
            @Nullable Instant oldestUnpublished,
            long pending,
            long waiting,
            long held,
            long failedPublishing,
            long failedHandling,
            @Nullable Double inPerSecond,
            @Nullable Double outPerSecond,
            Map<String, Long> processes,
            List<WaitingView> attention,
            List<DestinationView> destinations,
            List<History.Sample> samples) {}

    private Overview overview(ApiCall call) {
        ConsoleDatabase database = call.database();
        History history = histories.computeIfAbsent(database.name(), name -> new History());
        synchronized (history) {
            return look(database, call.context().clock().instant(), history);
        }
    }

    private static Overview look(ConsoleDatabase database, Instant now, History history) {
        StoredBacklog backlog = database.store().backlog(WaitingWatch.PATIENCE);
        List<DestinationStats> stats = backlog.destinations();
        DestinationStats sum = DestinationStats.sum(stats);
        List<WaitingItem> waiting = backlog.waiting();
        // The tables know of no other handlers than those that could not handle something.
        long failedHandling = waiting.stream()
                .filter(item -> item.kind() == WaitingItem.Kind.HANDLER)
                .mapToLong(WaitingItem::count)
                .sum();
        ActivityRates rates = history.look(database.store().relayNodes());
        Instant oldest = sum.oldestPending();
        long pending = sum.pending() + sum.waiting() + sum.held();
        Map<String, Long> processes = processes(database);
        history.add(
                now,
                oldest == null ? 0 : Math.max(0, Duration.between(oldest, now).toSeconds()),
                pending,
                pending + sum.failed(),
                sum.failed() + failedHandling,
                OPEN.stream()
                        .mapToLong(status -> processes.getOrDefault(status.name(), 0L))
                        .sum(),
                processes.getOrDefault(ProcessStatus.FAILED.name(), 0L));
        return new Overview(
                database.name(),
                now,
                oldest,
                sum.pending(),
                sum.waiting(),
                sum.held(),
                sum.failed(),
                failedHandling,
                history.in().orElse(null),
                history.out().orElse(null),
                processes,
                attention(waiting),
                destinations(database, stats, rates),
                history.samples());
    }

    /** Those for which something waits, those to which something was published, and those that are paused. */
    private static List<DestinationView> destinations(
            ConsoleDatabase database, List<DestinationStats> stats, ActivityRates rates) {
        var served = new ServedDestinations(database.store()::served, Unrouted.WARN);
        served.refresh();
        Map<String, PausedDestination> paused = database.outbox().paused().stream()
                .collect(Collectors.toMap(PausedDestination::destination, one -> one));
        var all = new TreeMap<String, DestinationStats>();
        rates.destinations().forEach(name -> all.put(name, DestinationStats.none(name)));
        paused.keySet().forEach(name -> all.put(name, DestinationStats.none(name)));
        stats.forEach(one -> all.put(one.destination(), one));
        return all.values().stream()
                .map(one -> view(one, served, rates, paused.get(one.destination())))
                .toList();
    }

    private static Map<String, Long> processes(ConsoleDatabase database) {
        var counts = new LinkedHashMap<String, Long>();
        Map<ProcessStatus, Long> found = database.store().processAdmin().counts(MAX_COUNTED);
        for (ProcessStatus status : ProcessStatus.values()) {
            counts.put(status.name(), found.getOrDefault(status, 0L));
        }
        return counts;
    }

    private static List<WaitingView> attention(List<WaitingItem> waiting) {
        return waiting.stream()
                .sorted(Comparator.comparing(WaitingItem::unusual)
                        .reversed()
                        .thenComparing(item -> item.begun().orElse(Instant.MAX)))
                .limit(MAX_ITEMS)
                .map(WaitingView::of)
                .toList();
    }

    private static DestinationView view(
            DestinationStats stats,
            ServedDestinations served,
            ActivityRates rates,
            @Nullable PausedDestination paused) {
        String reason = stats.pending() + stats.waiting() == 0
                ? null
                : rates.unavailable().get(stats.destination());
        return new DestinationView(
                stats.destination(),
                paused == null ? state(stats, served, reason) : "paused",
                stats.pending(),
                stats.waiting(),
                stats.held(),
                stats.failed(),
                stats.maxAttempts(),
                stats.oldestPending(),
                rates.of(stats.destination()).map(ActivityRates.Rate::published).orElse(null),
                rates.of(stats.destination())
                        .flatMap(ActivityRates.Rate::refusedShare)
                        .orElse(null),
                reason,
                paused == null ? null : RelayApi.PausedView.of(paused));
    }

    private static String state(DestinationStats stats, ServedDestinations served, @Nullable String reason) {
        if (!served.isServed(stats.destination()) && stats.pending() > 0) {
            return "not served";
        }
        if (reason != null) {
            return "unavailable";
        }
        return stats.failed() > 0 ? "failing" : stats.waiting() > 0 ? "retrying" : "ok";
    }
}
