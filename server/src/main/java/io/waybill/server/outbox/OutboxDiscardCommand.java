package io.waybill.server.outbox;

import io.waybill.store.admin.OutboxStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "discard",
        description = {
            "Gives messages up that are not sent yet.",
            "",
            "They stay in the table as DISCARDED, with the reason, until they are cleaned up. What was held behind them goes on"
                    + " without them."
        },
        mixinStandardHelpOptions = true)
final class OutboxDiscardCommand implements Callable<Integer> {

    @Mixin
    private OutboxChangeOptions change = new OutboxChangeOptions();

    @Override
    public Integer call() {
        return change.run(
                "Discard",
                "discarded",
                OutboxStatus::isOpen,
                (operations, selection, reason, steps) -> operations.discard(selection, reason, steps));
    }
}
