package io.waybill.server;

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
final class ChangeOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why; it is logged.")
    private String reason = "";

    @Option(names = "--dry-run", description = "Count, and change nothing.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask. Nobody is asked either when this is not a terminal.")
    private boolean yes;

    /**
     * A change in words: {@code Discard 3 failed messages in postgresql://...?} and {@code 3 failed messages discarded}.
     *
     * @param things what is counted
     */
    record Change(String verb, String things, String done, String database) {}

    /** How many were changed, or would be. */
    interface Report {
        void print(long count, boolean dryRun);
    }

    String reason() {
        return reason;
    }

    boolean isDryRun() {
        return dryRun;
    }

    boolean isJson() {
        return output.isJson();
    }

    /** For changes that nobody makes without one. */
    void requireReason() {
        if (reason.isBlank()) {
            throw new ParameterException(
                    spec.commandLine(), "--reason is missing: say why, as in --reason \"the printer has ink again\"");
        }
    }

    /**
     * Counts first, and then does it.
     *
     * @param work is told whom to tell how far it is
     * @return the exit code
     */
    int run(Change change, LongSupplier count, ToLongFunction<LongConsumer> work, Report report) {
        long found = count.getAsLong();
        if (dryRun || found == 0) {
            report.print(found, dryRun);
            return 0;
        }
        String what = found + " " + change.things();
        if (!yes && !Terminal.confirms(change.verb() + " " + what + " in " + change.database() + "?")) {
            spec.commandLine().getErr().println("Nothing was changed.");
            return 1;
        }
        long changed;
        try (var steps = Steps.of(
                found, change.things(), change.done(), spec.commandLine().getErr())) {
            changed = work.applyAsLong(steps);
        }
        Operator.log(changed + " " + change.things() + " " + change.done(), change.database(), reason);
        report.print(changed, false);
        return 0;
    }

    /** The usual report: one line for people, one object for programs. */
    Report counted(Change change) {
        return (count, dry) -> spec.commandLine()
                .getOut()
                .println(
                        isJson()
                                ? Answer.object(java.util.Map.of(dry ? "wouldChange" : "changed", count))
                                : count + " " + change.things() + " " + (dry ? "would be " : "") + change.done() + ".");
    }
}
