package io.waybill.server.outbox;

import io.waybill.store.admin.OutboxStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "redirect",
        description = {
            "Publish refused messages to another destination, with a full set of attempts.",
            "",
            "Messages held behind them go with them, in their order. What is appended later keeps its destination."
        },
        mixinStandardHelpOptions = true)
final class OutboxRedirectCommand implements Callable<Integer> {

    @Mixin
    private OutboxChangeOptions change = new OutboxChangeOptions();

    @Option(names = "--to", paramLabel = "DEST", required = true, description = "The new destination.")
    @SuppressWarnings("NullAway.Init")
    private String to;

    @Override
    public Integer call() {
        return change.run(
                "Redirect",
                "redirected to " + to,
                OutboxStatus::isReplayable,
                (operations, selection, reason, steps) -> operations.redirect(selection, to, steps));
    }
}
