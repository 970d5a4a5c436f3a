package io.waybill.server;

import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.ops.Cleanup;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every cleanup has in common: it is a change that removes old rows, some per transaction. */
final class CleanupOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(names = "--batch", paramLabel = "ROWS", defaultValue = "1000", description = "Rows per transaction (1000).")
    private int batch = 1_000;

    /**
     * What is cleaned up, in words.
     *
     * @param archive where a copy goes; null when none is kept
     */
    record Job(
            String rows,
            int days,
            String database,
            @Nullable String archive) {

        ChangeOptions.Change change() {
            return new ChangeOptions.Change("Remove", rows + " older than " + days + " days", "removed", database);
        }
    }

    /** The work, which is given its options and whom to tell. */
    interface Work extends ToLongBiFunction<Cleanup.Options, LongConsumer> {}

    Cleanup.Options olderThan(int days) {
        try {
            return Cleanup.Options.olderThan(Duration.ofDays(days)).step(batch);
        } catch (WaybillException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    int run(JdbcStore store, Job job, Cleanup.Options options, Work work) {
        return change.run(
                store,
                job.change(),
                () -> work.applyAsLong(options.dryRun(true), done -> {}),
                steps -> work.applyAsLong(options, steps),
                (count, dryRun) -> spec.commandLine().getOut().println(report(job, count, dryRun)));
    }

    private String report(Job job, long count, boolean dryRun) {
        if (change.output().isJson()) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put(dryRun ? "wouldRemove" : "removed", count);
            members.put("olderThanDays", job.days());
            members.put("archive", job.archive());
            return Answer.object(members);
        }
        return count + " " + job.change().things() + (dryRun ? " would be removed" : " removed")
                + (job.archive() == null || dryRun ? "" : ", kept in " + job.archive()) + ".";
    }
}
