package io.waybill.server;

import io.waybill.message.PayloadCodec;
import io.waybill.ops.Cleanup;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        description = {
            "Removes processes that were finished some days ago, with their steps and logs.",
            "",
            "Those whose compensation is blocked stay, and sub-processes stay as long as the process that began them."
        },
        mixinStandardHelpOptions = true)
final class ProcessCleanupCommand implements Callable<Integer> {

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private CleanupOptions cleanup = new CleanupOptions();

    @Option(names = "--days", paramLabel = "N", defaultValue = "30", description = "Keep the last N days (30).")
    private int days = 30;

    @Override
    public Integer call() {
        Cleanup.Options options = cleanup.olderThan(days);
        var job = new CleanupOptions.Job("processes", days, database.shown(), null);
        return database.use(store -> cleanup.run(
                store,
                job,
                options,
                (chosen, progress) -> Cleanup.processes(store.processStore(PayloadCodec.found()), chosen, progress)));
    }
}
