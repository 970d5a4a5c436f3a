package io.waybill.server.process;

import io.waybill.message.PayloadCodec;
import io.waybill.ops.Cleanup;
import io.waybill.server.change.CleanupOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        description = {
            "Remove old finished processes, with their steps and logs.",
            "",
            "Processes with a blocked compensation stay, and sub-processes stay as long as their parent."
        },
        mixinStandardHelpOptions = true)
final class ProcessCleanupCommand implements Callable<Integer> {

    @Mixin
    private CleanupOptions cleanup = new CleanupOptions();

    @Option(names = "--days", paramLabel = "N", defaultValue = "30", description = "Keep the last N days (30).")
    private int days = 30;

    @Override
    public Integer call() {
        return cleanup.run(
                "processes",
                days,
                (store, options, progress) ->
                        Cleanup.processes(store.processStore(PayloadCodec.found()), options, progress));
    }
}
