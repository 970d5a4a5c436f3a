package io.waybill.server.change;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.ops.Cleanup;
import io.waybill.server.cli.ChangeOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.UsageErrors;
import io.waybill.server.database.DatabaseOptions;
import io.waybill.store.admin.Archive;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every cleanup has in common: it is a change that removes old rows, some per transaction. */
public final class CleanupOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(names = "--batch", paramLabel = "ROWS", defaultValue = "1000", description = "Rows per transaction (1000).")
    private int batch = 1_000;

    /** The work, which is given the store, its options and whom to tell. */
    public interface Work {
        long run(JdbcStore store, Cleanup.Options options, LongConsumer progress);
    }

    public int run(String rows, int days, Work work) {
        return run(rows, days, Archive.NONE, "", work);
    }

    /**
     * Removes rows, into an archive if there is one.
     *
     * @param keptIn where the archive is, in words
     */
    public int run(String rows, int days, Archive archive, String keptIn, Work work) {
        Cleanup.Options options = olderThan(days).archive(archive);
        var words =
                new ChangeOptions.Change("Remove", rows + " older than " + days + " days", "removed", database.shown());
        return database.use(store -> change.run(
                store,
                words,
                () -> work.run(store, options.dryRun(true), done -> {}),
                steps -> work.run(store, options, steps),
                (count, dryRun) -> spec.commandLine()
                        .getOut()
                        .println(
                                change.output().isJson()
                                        ? json(count, dryRun, days, keptIn)
                                        : count + " " + words.things() + (dryRun ? " would be removed" : " removed")
                                                + (keptIn.isEmpty() || dryRun ? "" : ", kept in " + keptIn) + ".")));
    }

    /** Of an adopted table. */
    public int run(String rows, int days, OutboxTableOptions table) {
        Duration age = olderThan(days).olderThan();
        var words =
                new ChangeOptions.Change("Remove", rows + " older than " + days + " days", "removed", database.shown());
        return table.use(database, outbox -> {
            AdoptedTable adopted = outbox.adopted().orElseThrow();
            return change.run(
                    outbox.store(),
                    words,
                    () -> adopted.countDone(age),
                    steps -> removed(adopted, age, steps),
                    change.counted(words));
        });
    }

    private long removed(AdoptedTable adopted, Duration age, LongConsumer steps) {
        long removed = 0;
        int some;
        do {
            some = adopted.removeDone(age, batch);
            removed += some;
            steps.accept(removed);
        } while (some == batch);
        return removed;
    }

    private Cleanup.Options olderThan(int days) {
        return UsageErrors.checked(
                spec, () -> Cleanup.Options.olderThan(Duration.ofDays(days)).step(batch));
    }

    private static String json(long count, boolean dryRun, int days, String keptIn) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put(dryRun ? "wouldRemove" : "removed", count);
        members.put("olderThanDays", days);
        members.put("archive", keptIn.isEmpty() ? null : keptIn);
        return Listing.object(members);
    }
}
