package io.waybill.server;

import io.waybill.WaybillException;
import io.waybill.ops.Cleanup;
import java.io.PrintWriter;
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

/** What every cleanup has in common: it counts, asks where there is somebody to ask, removes step by step, and reports. */
final class CleanupOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--dry-run", description = "Count, and change nothing.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask. Nobody is asked either when this is not a terminal.")
    private boolean yes;

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

        String olderRows(long count) {
            return count + " " + rows + " older than " + days + " days";
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

    int run(Job job, Cleanup.Options options, Work work) {
        long found = work.applyAsLong(options.dryRun(true), done -> {});
        if (dryRun || found == 0) {
            report(job, found);
            return 0;
        }
        if (!yes && !Terminal.confirms("Remove " + job.olderRows(found) + " from " + job.database() + "?")) {
            spec.commandLine().getErr().println("Nothing was removed.");
            return 1;
        }
        try (var steps = Steps.of(found, job.rows(), spec.commandLine().getErr())) {
            report(job, work.applyAsLong(options, steps));
        }
        return 0;
    }

    private void report(Job job, long count) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put(dryRun ? "wouldRemove" : "removed", count);
            members.put("olderThanDays", job.days());
            members.put("archive", job.archive());
            out.println(Answer.object(members));
        } else {
            out.println(job.olderRows(count) + (dryRun ? " would be removed" : " removed")
                    + (job.archive() == null || dryRun ? "" : ", kept in " + job.archive()) + ".");
        }
    }
}
