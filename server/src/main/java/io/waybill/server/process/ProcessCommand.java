package io.waybill.server.process;

import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.server.cli.CommandGroup;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What an operator sees of processes, and does about them. */
@Command(
        name = "process",
        description = "Processes and what they wait for.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ProcessListCommand.class,
            ProcessShowCommand.class,
            ProcessExplainCommand.class,
            ProcessGraphCommand.class,
            ProcessCleanupCommand.class
        })
public final class ProcessCommand extends CommandGroup {

    private static final String STEP =
            "The step, as 'waybill process explain' names it; not needed where only one fits.";

    @Command(
            name = "retry",
            description = "Tries a step, or the compensation of a step, again at once.",
            mixinStandardHelpOptions = true)
    int retry(
            @Mixin ProcessChange change,
            @Option(names = "--step", paramLabel = "STEP", description = STEP) @Nullable String step) {
        return change.ofStep(Verb.RETRY, step);
    }

    @Command(
            name = "skip",
            description = "Gives the compensation of a step up: what the step did stays done, and undoing goes on.",
            mixinStandardHelpOptions = true)
    int skip(
            @Mixin ProcessChange change,
            @Option(names = "--step", paramLabel = "STEP", description = STEP) @Nullable String step) {
        return change.ofStep(Verb.SKIP, step);
    }

    @Command(
            name = "resolve",
            description = "Says that somebody has undone a step by hand: undoing goes on.",
            mixinStandardHelpOptions = true)
    int resolve(
            @Mixin ProcessChange change,
            @Option(names = "--step", paramLabel = "STEP", description = STEP) @Nullable String step) {
        return change.ofStep(Verb.RESOLVE, step);
    }

    @Command(
            name = "pause",
            description = "Holds processes: answers are noted, nothing is begun.",
            mixinStandardHelpOptions = true)
    int pause(@Mixin ProcessChange change) {
        return change.run(Verb.PAUSE, "", Map.of());
    }

    @Command(name = "resume", description = "Lets paused processes go on.", mixinStandardHelpOptions = true)
    int resume(@Mixin ProcessChange change) {
        return change.run(Verb.RESUME, "", Map.of());
    }

    @Command(
            name = "cancel",
            description = "Ends processes, and undoes what they have done.",
            mixinStandardHelpOptions = true)
    int cancel(
            @Mixin ProcessChange change,
            @Option(names = "--without-compensation", description = "End them at once; what they have done stays done.")
                    boolean withoutCompensation) {
        return change.cancel(withoutCompensation ? Verb.CANCEL_WITHOUT_COMPENSATION : Verb.CANCEL);
    }

    @Command(
            name = "signal",
            description = "Tells processes something that a step waits for, or will wait for.",
            mixinStandardHelpOptions = true)
    int signal(
            @Mixin ProcessChange change,
            @Option(names = "--name", paramLabel = "SIGNAL", required = true, description = "The name of the signal.")
                    String name,
            @Option(
                            names = "--data",
                            paramLabel = "JSON",
                            defaultValue = "{}",
                            description = "What comes with it: a JSON object.")
                    String data,
            @Option(
                            names = "--key",
                            paramLabel = "KEY",
                            defaultValue = "",
                            description =
                                    "What makes two signals the same: a second one of this name with it changes nothing.")
                    String key) {
        return change.signal(name, change.object(data), key);
    }
}
