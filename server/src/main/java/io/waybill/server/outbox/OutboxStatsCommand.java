package io.waybill.server.outbox;

import io.waybill.Time;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.ops.OutboxOperations;
import io.waybill.server.cli.Ages;
import io.waybill.server.cli.Listing;
import io.waybill.server.config.LayoutChoice;
import io.waybill.server.config.LayoutOptions;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.outbox.PausedDestination;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "stats",
        description = {
            "Count the messages of each destination.",
            "",
            "pending: to be published; waiting: refused, to be retried; held: behind an earlier message of the"
                    + " same key; failed: all attempts are used.",
            "A destination that is paused is listed with who paused it and why."
        },
        mixinStandardHelpOptions = true)
final class OutboxStatsCommand implements Callable<Integer> {

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    /** Both as of one moment. */
    private record Found(List<DestinationStats> stats, List<PausedDestination> paused) {

        static Found by(OutboxOperations operations) {
            List<DestinationStats> stats = operations.stats();
            List<PausedDestination> paused = operations.paused();
            // A destination may be paused before there is any message for it.
            Stream<DestinationStats> empty = paused.stream()
                    .map(PausedDestination::destination)
                    .filter(name ->
                            stats.stream().noneMatch(one -> one.destination().equals(name)))
                    .map(DestinationStats::none);
            return new Found(
                    Stream.concat(stats.stream(), empty)
                            .sorted(Comparator.comparing(DestinationStats::destination))
                            .toList(),
                    paused);
        }

        Optional<PausedDestination> pauseOf(String destination) {
            return paused.stream()
                    .filter(one -> one.destination().equals(destination))
                    .findFirst();
        }
    }

    @Override
    public Integer call() {
        return listing.show(answer(found(), Clock.systemUTC().instant()), "Nothing waits in the outbox.");
    }

    private Found found() {
        LayoutChoice choice = layout.choice();
        if (choice.layout().isEmpty()) {
            return listing.read(store -> Found.by(new OutboxOperations(store.admin())));
        }
        return listing.database().useAny(pool -> {
            try (var table =
                    AdoptedTable.open(pool, choice.layout().get(), AdoptedTable.Setup.NOTHING, Time.system())) {
                return Found.by(new OutboxOperations(table.admin()));
            }
        });
    }

    private Listing answer(Found found, Instant now) {
        boolean json = listing.isJson();
        List<String> columns = new ArrayList<>(List.of(
                "destination",
                "pending",
                "waiting",
                "held",
                "failed",
                "attempts",
                json ? "maxAttempts" : "most",
                json ? "oldestPendingSeconds" : "oldest"));
        if (json) {
            columns.addAll(List.of("pausedSince", "pausedBy", "pausedReason"));
        } else if (!found.paused.isEmpty()) {
            columns.add("state");
        }
        var answer = new Listing(columns.toArray(String[]::new));
        for (var one : found.stats) {
            Duration age = one.oldestPending() == null ? null : Ages.of(one.oldestPending(), now);
            List<@Nullable Object> values = new ArrayList<>(List.of(
                    one.destination(),
                    one.pending(),
                    one.waiting(),
                    one.held(),
                    one.failed(),
                    one.attempts(),
                    one.maxAttempts()));
            values.add(age == null ? null : json ? (Object) age.toSeconds() : Ages.words(age));
            Optional<PausedDestination> pause = found.pauseOf(one.destination());
            if (json) {
                values.add(pause.map(PausedDestination::since).orElse(null));
                values.add(pause.map(PausedDestination::operator).orElse(null));
                values.add(pause.map(PausedDestination::reason).orElse(null));
            } else if (!found.paused.isEmpty()) {
                values.add(pause.map(PausedDestination::why).orElse(""));
            }
            answer.add(values.toArray());
        }
        return answer;
    }
}
