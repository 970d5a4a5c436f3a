package io.waybill.server.outbox;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "resume",
        description = "Let relays send to a paused destination again, in the order of its messages.",
        mixinStandardHelpOptions = true)
final class OutboxResumeCommand implements Callable<Integer> {

    @Mixin
    private DestinationChange change = new DestinationChange();

    @Override
    public Integer call() {
        return change.run(
                "Resume",
                "resumed",
                "Relays see it within their sweep interval.",
                (operations, destination, reason) -> operations.resume(destination));
    }
}
