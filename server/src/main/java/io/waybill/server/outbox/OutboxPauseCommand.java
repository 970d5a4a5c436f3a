package io.waybill.server.outbox;

import io.waybill.server.cli.Operator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "pause",
        description = {
            "Let relays send nothing to a destination until it is resumed.",
            "",
            "Its messages wait in order and use no attempt. Other destinations continue. What is being published or"
                    + " handled is finished."
        },
        mixinStandardHelpOptions = true)
final class OutboxPauseCommand implements Callable<Integer> {

    @Mixin
    private DestinationChange change = new DestinationChange();

    @Override
    public Integer call() {
        return change.run(
                "Pause",
                "paused",
                "Relays see it within their sweep interval.",
                (operations, destination, reason) -> operations.pause(destination, reason, Operator.name()));
    }
}
