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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "stats",
        description = {
            "Count the messages of each destination.",
            "",
            "pending: to be published; waiting: refused, to be retried; held: behind an earlier message of the"
                    + " same key; failed: all attempts are used."
        },
        mixinStandardHelpOptions = true)
final class OutboxStatsCommand implements Callable<Integer> {

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Override
    public Integer call() {
        return listing.show(answer(stats(), Clock.systemUTC().instant()), "Nothing waits in the outbox.");
    }

    private List<DestinationStats> stats() {
        LayoutChoice choice = layout.choice();
        if (choice.layout().isEmpty()) {
            return listing.read(store -> new OutboxOperations(store.admin()).stats());
        }
        return listing.database().useAny(pool -> {
            try (var table =
                    AdoptedTable.open(pool, choice.layout().get(), AdoptedTable.Setup.NOTHING, Time.system())) {
                return table.stats();
            }
        });
    }

    private Listing answer(List<DestinationStats> stats, Instant now) {
        boolean json = listing.isJson();
        var answer = new Listing(
                "destination",
                "pending",
                "waiting",
                "held",
                "failed",
                "attempts",
                json ? "maxAttempts" : "most",
                json ? "oldestPendingSeconds" : "oldest");
        for (var one : stats) {
            Duration age = one.oldestPending() == null ? null : Ages.of(one.oldestPending(), now);
            answer.add(
                    one.destination(),
                    one.pending(),
                    one.waiting(),
                    one.held(),
                    one.failed(),
                    one.attempts(),
                    one.maxAttempts(),
                    age == null ? null : json ? (Object) age.toSeconds() : Ages.words(age));
        }
        return answer;
    }
}
