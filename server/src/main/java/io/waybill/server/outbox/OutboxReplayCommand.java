package io.waybill.server.outbox;

import io.waybill.store.admin.OutboxStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "replay",
        description = {
            "Publish refused messages again, with a full set of attempts.",
            "",
            "Messages held behind them follow in their order."
        },
        mixinStandardHelpOptions = true)
final class OutboxReplayCommand implements Callable<Integer> {

    @Mixin
    private OutboxChangeOptions change = new OutboxChangeOptions();

    @Override
    public Integer call() {
        return change.run(
                "Replay",
                "replayed",
                OutboxStatus::isReplayable,
                (operations, selection, reason, steps) -> operations.replay(selection, steps));
    }
}
