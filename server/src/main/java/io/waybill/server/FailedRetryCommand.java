package io.waybill.server;

import io.waybill.ops.FailedMessages.Target;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "retry",
        description = {
            "Tries failed messages again, in the order in which they failed.",
            "",
            "They go to the handler that failed, in the processes that have it; or with --to-queue back to where they came from,"
                    + " by the relay's route for that name."
        },
        mixinStandardHelpOptions = true)
final class FailedRetryCommand implements Callable<Integer> {

    @Mixin
    private FailedChangeOptions change = new FailedChangeOptions();

    @Option(names = "--to-queue", description = "Back to the topic or queue they came from.")
    private boolean toQueue;

    @Override
    public Integer call() {
        Target target = toQueue ? Target.QUEUE : Target.HANDLER;
        return change.run(
                "Retry",
                "on their way to the " + (toQueue ? "queue" : "handler"),
                (operations, selection, reason, steps) -> operations.retry(selection, target, reason, steps));
    }
}
