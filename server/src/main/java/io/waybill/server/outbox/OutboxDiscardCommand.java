package io.waybill.server.outbox;

import io.waybill.store.admin.OutboxStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "discard",
        description = {
            "Discard messages that have not been published.",
            "",
            "They stay in the table as DISCARDED, with the reason, until the cleanup. Messages held behind them"
                    + " are published without them."
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
