package io.waybill.server.failed;

import io.waybill.ops.FailedMessages.Retried;
import io.waybill.ops.FailedMessages.Target;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "retry",
        description = {
            "Retry failed messages, in the order in which they failed.",
            "",
            "They go to the handler that failed; with --to-queue they go back to the topic or queue they came"
                    + " from, by the relay's route for it.",
            "",
            "Where a handler parks keys, the first message of a key is retried and those behind it follow. A message is not"
                    + " retried before the earlier ones of its key.",
            "",
            "A message that failed in PHP (--in messenger_messages) goes back unchanged to the queue that its transport reads."
        },
        mixinStandardHelpOptions = true)
final class FailedRetryCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private FailedChangeOptions change = new FailedChangeOptions();

    @Option(names = "--to-queue", description = "Send them back to the topic or queue they came from.")
    private boolean toQueue;

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            defaultValue = "",
            description =
                    "For messages that failed in PHP: the queue of its table (queue_name of the transport) that they go"
                            + " back to.")
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
        long[] refused = {0};
        int exitCode = change.run(
                "Retry",
                "on their way to the " + (toQueue ? "queue" : "handler"),
                (operations, selection, reason, steps) -> {
                    Retried retried = operations.retry(selection, target, reason, steps);
                    refused[0] = retried.refused();
                    return retried.onTheirWay();
                });
        if (refused[0] > 0) {
            spec.commandLine().getErr().println(refused[0] + " failed messages were not retried: " + why());
        }
        return exitCode;
    }

    private String why() {
        return toQueue
                ? "later messages of their key wait behind them, and the order would be lost in the queue. Leave --to-queue out."
                : "an earlier message of their key has failed and is not selected. Retry that one, these follow it;"
                        + " 'waybill failed list --key KEY' shows it first.";
    }
}
