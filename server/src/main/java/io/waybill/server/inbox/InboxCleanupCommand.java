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
            "Forgets messages that were handled some days ago.",
            "",
            "Keep them longer than a broker may deliver a message again: what is forgotten is handled again."
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
