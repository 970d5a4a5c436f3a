package io.waybill.server;

import io.waybill.ops.FailedMessages;
import io.waybill.store.FailedSelection;
import java.io.PrintWriter;
import java.util.Map;
import java.util.function.ToLongBiFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every change of failed messages has in common: it counts, asks where there is somebody to ask, and reports. */
final class FailedChangeOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--all", description = "Every failed message; without it something must be selected.")
    private boolean all;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; it is logged.")
    @SuppressWarnings("NullAway.Init")
    private String reason;

    @Option(names = "--dry-run", description = "Count, and change nothing.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask. Nobody is asked either when this is not a terminal.")
    private boolean yes;

    String reason() {
        return reason;
    }

    /** The work, which is given the operations and the selection. */
    interface Work extends ToLongBiFunction<FailedMessages, FailedSelection> {}

    int run(String verb, String done, Work work) {
        FailedSelection selection = selected.selection();
        if (!all && selection.equals(FailedSelection.all())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Nothing is selected. Say which messages, as in --group or --id, or --all for every one.");
        }
        return database.use(store -> run(store.failedMessages(), selection, verb, done, work));
    }

    private int run(FailedMessages operations, FailedSelection selection, String verb, String done, Work work) {
        long found = operations.count(selection);
        if (dryRun || found == 0) {
            report(found, dryRun ? "would be " + done : done);
            return 0;
        }
        if (!yes && !Terminal.confirms(verb + " " + found + " failed messages in " + database.shown() + "?")) {
            spec.commandLine().getErr().println("Nothing was changed.");
            return 1;
        }
        report(work.applyAsLong(operations, selection), done);
        return 0;
    }

    private void report(long count, String done) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                output.isJson()
                        ? Answer.object(Map.of(dryRun ? "wouldChange" : "changed", count))
                        : count + " failed messages " + done + ".");
    }
}
