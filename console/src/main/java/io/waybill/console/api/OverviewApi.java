package io.waybill.console.api;

import static io.waybill.console.api.ApiRoute.get;

import io.waybill.observe.WaitingItem;
import io.waybill.ops.WaitingWatch;
import io.waybill.outbox.Unrouted;
import io.waybill.process.state.ProcessStatus;
import io.waybill.relay.route.ServedDestinations;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailureGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong, since when, and what to do about it. Looked up at most every five seconds for each database, however many browsers ask.
 */
final class OverviewApi {

    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final int MAX_SAMPLES = 240;
    private static final int MAX_ITEMS = 200;
    private static final int MAX_COUNTED = 10_001;

    private final Map<String, Known> known = new ConcurrentHashMap<>();

    List<ApiRoute> routes() {
        return List.of(get(
                "/api/databases/{database}/overview",
                "What waits and what is wrong, destinations and counts",
                Overview.class,
                this::overview));
    }

    /** What was found last, and a few numbers of the times before. */
    private static final class Known {
        private @Nullable Overview last;
        private final Deque<Sample> samples = new ArrayDeque<>();
    }

    /** Numbers at one time, for a chart. */
    record Sample(Instant at, long oldestSeconds, long pending, long failed) {}

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
     * A destination for which messages wait.
     *
     * @param state {@code ok}, {@code retrying}, {@code failing} or {@code not served}
     */
    record DestinationView(
            String destination,
            String state,
            long pending,
            long waiting,
            long held,
            long failed,
            int maxAttempts,
            @Nullable Instant oldestPending) {}

    /**
     * The overview of a database.
     *
     * @param oldestUnpublished when the oldest message that waits to be published was appended
     * @param failedPublishing messages of the outbox that were refused for the last time
     * @param failedHandling messages that could not be handled
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
            Map<String, Long> processes,
            List<WaitingView> attention,
            List<DestinationView> destinations,
            List<Sample> samples) {}

    private Overview overview(ApiCall call) {
        ConsoleDatabase database = call.database();
        Known of = known.computeIfAbsent(database.name(), name -> new Known());
        synchronized (of) {
            Instant now = call.context().clock().instant();
            Overview last = of.last;
            if (last == null || last.at.plus(FRESH).isBefore(now)) {
                last = look(database, now, of.samples);
                of.last = last;
            }
            return last;
        }
    }

    private static Overview look(ConsoleDatabase database, Instant now, Deque<Sample> samples) {
        List<DestinationStats> stats = database.outbox().stats();
        DestinationStats sum = DestinationStats.sum(stats);
        long failedHandling = database.failed().groups(FailedSelection.all()).stream()
                .mapToLong(FailureGroup::count)
                .sum();
        Instant oldest = sum.oldestPending();
        samples.addLast(new Sample(
                now,
                oldest == null ? 0 : Math.max(0, Duration.between(oldest, now).toSeconds()),
                sum.pending() + sum.waiting() + sum.held(),
                sum.failed() + failedHandling));
        if (samples.size() > MAX_SAMPLES) {
            samples.removeFirst();
        }
        var served = new ServedDestinations(database.store()::served, Unrouted.WARN);
        served.refresh();
        return new Overview(
                database.name(),
                now,
                oldest,
                sum.pending(),
                sum.waiting(),
                sum.held(),
                sum.failed(),
                failedHandling,
                processes(database),
                attention(database),
                stats.stream().map(one -> view(one, served)).toList(),
                List.copyOf(samples));
    }

    private static Map<String, Long> processes(ConsoleDatabase database) {
        var counts = new LinkedHashMap<String, Long>();
        Map<ProcessStatus, Long> found = database.store().processAdmin().counts(MAX_COUNTED);
        for (ProcessStatus status : ProcessStatus.values()) {
            counts.put(status.name(), found.getOrDefault(status, 0L));
        }
        return counts;
    }

    private static List<WaitingView> attention(ConsoleDatabase database) {
        return database.store().waiting(WaitingWatch.PATIENCE).waiting().stream()
                .sorted(Comparator.comparing(WaitingItem::unusual)
                        .reversed()
                        .thenComparing(item -> item.begun().orElse(Instant.MAX)))
                .limit(MAX_ITEMS)
                .map(WaitingView::of)
                .toList();
    }

    private static DestinationView view(DestinationStats stats, ServedDestinations served) {
        String state = !served.isServed(stats.destination()) && stats.pending() > 0
                ? "not served"
                : stats.failed() > 0 ? "failing" : stats.waiting() > 0 ? "retrying" : "ok";
        return new DestinationView(
                stats.destination(),
                state,
                stats.pending(),
                stats.waiting(),
                stats.held(),
                stats.failed(),
                stats.maxAttempts(),
                stats.oldestPending());
    }
}
