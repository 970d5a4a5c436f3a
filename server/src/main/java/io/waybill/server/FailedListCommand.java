package io.waybill.server;

import io.waybill.store.FailedMessage;
import io.waybill.store.Failure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "list",
        description = "Failed messages in the order in which they failed.",
        mixinStandardHelpOptions = true)
final class FailedListCommand implements Callable<Integer> {

    private static final int LONGEST_ERROR = 60;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private FailedSelectionOptions selected = new FailedSelectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--after", paramLabel = "ID", defaultValue = "0", description = "Those behind this id (0).")
    private long after;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most N (50).")
    private int limit = 50;

    @Override
    public Integer call() {
        var selection = selected.selection();
        List<FailedMessage> page = database.use(store -> store.failedMessages().list(selection, after, limit));
        if (page.isEmpty() && !output.isJson()) {
            spec.commandLine().getOut().println("No failed messages.");
            return 0;
        }
        var answer = new Answer("id", "group", "handler", "from", "type", "key", "attempts", "error");
        page.forEach(message -> answer.add(
                message.id(),
                message.cause().fingerprint(),
                message.handler(),
                message.source(),
                message.message().type(),
                message.message().partitionKey(),
                message.attempts(),
                output.isJson() ? message.cause().error() : shortened(message.cause())));
        output.print(answer, spec.commandLine().getOut());
        if (page.size() == limit && !output.isJson()) {
            long last = page.get(limit - 1).id();
            spec.commandLine().getErr().println("There may be more: waybill failed list --after " + last);
        }
        return 0;
    }

    private static String shortened(Failure.Cause cause) {
        String line = (cause.kind() + ": " + cause.error()).lines().findFirst().orElse("");
        return line.length() <= LONGEST_ERROR ? line : line.substring(0, LONGEST_ERROR - 3) + "...";
    }
}
