package io.waybill.server.process;

import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.server.cli.CommandGroup;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What an operator sees of processes, and does about them. */
@Command(
        name = "process",
        description = "Inspect processes, and start, retry, pause, cancel or signal them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ProcessListCommand.class,
            ProcessShowCommand.class,
            ProcessExplainCommand.class,
            ProcessGraphCommand.class,
            ProcessStartCommand.class,
            ProcessCleanupCommand.class
        })
public final class ProcessCommand extends CommandGroup {

    private static final String STEP =
            "The step, as 'waybill process explain' names it; not needed where only one fits.";

    @Command(
            name = "retry",
            description = "Retry a step, or the compensation of a step, now.",
            mixinStandardHelpOptions = true)
    int retry(
            @Mixin ProcessChange change,
            @Mixin ProcessSelection selection,
            @Option(names = "--step", paramLabel = "STEP", description = STEP) @Nullable String step) {
        return change.run(Verb.RETRY, step, selection);
    }

    @Command(
            name = "skip",
            description =
                    "Skip the compensation of a step: its effects stay, and compensation continues with the step before"
                            + " it.",
            mixinStandardHelpOptions = true)
    int skip(
            @Mixin ProcessChange change,
            @Mixin ProcessSelection selection,
            @Option(names = "--step", paramLabel = "STEP", description = STEP) @Nullable String step) {
        return change.run(Verb.SKIP, step, selection);
    }

    @Command(
            name = "resolve",
            description = "Mark a step as compensated by hand; compensation continues.",
            mixinStandardHelpOptions = true)
    int resolve(
            @Mixin ProcessChange change,
            @Mixin ProcessSelection selection,
            @Option(names = "--step", paramLabel = "STEP", description = STEP) @Nullable String step) {
        return change.run(Verb.RESOLVE, step, selection);
    }

    @Command(
            name = "pause",
            description = "Pause processes: replies are recorded, no step starts.",
            mixinStandardHelpOptions = true)
    int pause(@Mixin ProcessChange change, @Mixin ProcessSelection selection) {
        return change.run(Verb.PAUSE, null, selection);
    }

    @Command(name = "resume", description = "Resume paused processes.", mixinStandardHelpOptions = true)
    int resume(@Mixin ProcessChange change, @Mixin ProcessSelection selection) {
        return change.run(Verb.RESUME, null, selection);
    }

    @Command(
            name = "cancel",
            description = "Cancel processes and compensate their completed steps.",
            mixinStandardHelpOptions = true)
    int cancel(
            @Mixin ProcessChange change,
            @Mixin ProcessSelection selection,
            @Option(
                            names = "--without-compensation",
                            description = "End them now, without compensation; effects of their steps stay.")
                    boolean withoutCompensation) {
        return change.run(withoutCompensation ? Verb.CANCEL_WITHOUT_COMPENSATION : Verb.CANCEL, null, selection);
    }

    @Command(
            name = "signal",
            description = "Send a signal that a step waits for, or will wait for.",
            mixinStandardHelpOptions = true)
    int signal(
            @Mixin ProcessChange change,
            @Option(names = "--name", paramLabel = "SIGNAL", required = true, description = "The name of the signal.")
                    String name,
            @Option(
                            names = "--data",
                            paramLabel = "JSON",
                            defaultValue = "{}",
                            description = "The data of the signal: a JSON object.")
                    String data,
            @Option(
                            names = "--key",
                            paramLabel = "KEY",
                            defaultValue = "",
                            description =
                                    "Idempotency key: a second signal of this name with the same key has no effect.")
                    String key) {
        return change.signal(name, change.object(data), key);
    }
}
