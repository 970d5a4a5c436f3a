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
                    + " by the relay's route for that name.",
            "",
            "What failed in PHP (--in messenger_messages) goes back as it is to the queue that its transport reads."
        },
        mixinStandardHelpOptions = true)
final class FailedRetryCommand implements Callable<Integer> {

    @Mixin
    private FailedChangeOptions change = new FailedChangeOptions();

    @Option(names = "--to-queue", description = "Back to the topic or queue they came from.")
    private boolean toQueue;

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            defaultValue = "",
            description = "What failed in PHP: back to this queue of its table (queue_name of the transport).")
    private String queue = "";

    @Override
    public Integer call() {
        if (!queue.isEmpty()) {
            return change.run(
                    "Retry",
                    "back in the queue " + queue,
                    (operations, selection, reason, steps) -> operations.giveBack(selection, queue, reason, steps));
        }
        Target target = toQueue ? Target.QUEUE : Target.HANDLER;
        return change.run(
                "Retry",
                "on their way to the " + (toQueue ? "queue" : "handler"),
                (operations, selection, reason, steps) -> operations.retry(selection, target, reason, steps));
    }
}
