package io.waybill.server.inbox;

import io.waybill.ops.Cleanup;
import io.waybill.server.change.CleanupOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        description = {
            "Remove old inbox rows.",
            "",
            "Keep rows longer than a broker may redeliver a message: without its row, a message is handled again."
        },
        mixinStandardHelpOptions = true)
final class InboxCleanupCommand implements Callable<Integer> {

    @Mixin
    private CleanupOptions cleanup = new CleanupOptions();

    @Option(names = "--days", paramLabel = "N", defaultValue = "30", description = "Keep the last N days (30).")
    private int days = 30;

    @Override
    public Integer call() {
        return cleanup.run(
                "inbox rows",
                days,
                (store, options, progress) -> new Cleanup(store.cleanup()).inbox(options, progress));
    }
}
