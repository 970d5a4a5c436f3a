package io.waybill.server.cli;

import io.waybill.jdbc.JdbcStore;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What every change has in common: it counts, asks where there is somebody to ask, goes step by step, reports, and is logged with
 * its reason.
 */
public final class ChangeOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "The reason; it is logged.")
    private String reason = "";

    @Option(names = "--dry-run", description = "Print what would be changed, and change nothing.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask for confirmation. Required without a terminal.")
    private boolean yes;

    /**
     * A change in words: {@code Discard 3 failed messages in postgresql://...?} and {@code 3 failed messages discarded}.
     *
     * @param things what is counted
     */
    public record Change(String verb, String things, String done, String database) {}

    /** How many were changed, or would be. */
    public interface Report {
        void print(long count, boolean dryRun);
    }

    public String reason() {
        return reason;
    }

    public boolean isDryRun() {
        return dryRun;
    }

    public OutputOptions output() {
        return output;
    }

    /** For changes that nobody makes without one. */
    public void requireReason() {
        if (reason.isBlank()) {
            throw new ParameterException(
                    spec.commandLine(), "--reason is missing: say why, as in --reason \"the printer has ink again\"");
        }
    }

    /**
     * Counts first, and then does it.
     *
     * @param work gets the callback that reports progress
     * @return the exit code
     */
    public int run(
            JdbcStore store, Change change, LongSupplier count, ToLongFunction<LongConsumer> work, Report report) {
        long found = count.getAsLong();
        if (dryRun || found == 0) {
            report.print(found, dryRun);
            return 0;
        }
        if (!isWanted(change.verb() + " " + found + " " + change.things(), change.database())) {
            return 1;
        }
        Operator.change(store, spec, change.database(), reason, () -> {
            long changed;
            try (var steps = Progress.of(
                    found, change.things(), change.done(), spec.commandLine().getErr())) {
                changed = work.applyAsLong(steps);
            }
            report.print(changed, false);
            return changed + " " + change.things() + " " + change.done();
        });
        return 0;
    }

    /** Whether nobody is asked, or says yes. */
    public boolean isWanted(String what, String database) {
        if (!yes && !Terminal.isInteractive()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "This would: " + what + " in " + database
                            + ". There is no terminal to confirm it: add --yes, or --dry-run.");
        }
        boolean wanted = yes || Terminal.confirms(what + " in " + database + "?");
        if (!wanted) {
            spec.commandLine().getErr().println("Nothing was changed.");
        }
        return wanted;
    }

    /** The usual report: one line for people, one object for programs. */
    public Report counted(Change change) {
        return (count, dry) -> spec.commandLine()
                .getOut()
                .println(
                        output.isJson()
                                ? Listing.object(Map.of(dry ? "wouldChange" : "changed", count))
                                : count + " " + change.things() + " " + (dry ? "would be " : "") + change.done() + ".");
    }
}
