package io.waybill.server.failed;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "discard",
        description = {"Discard failed messages.", "", "'waybill failed export' keeps a copy."},
        mixinStandardHelpOptions = true)
final class FailedDiscardCommand implements Callable<Integer> {

    @Mixin
    private FailedChangeOptions change = new FailedChangeOptions();

    @Override
    public Integer call() {
        return change.run(
                "Discard",
                "discarded",
                (operations, selection, reason, steps) -> operations.discard(selection, reason, steps));
    }
}
