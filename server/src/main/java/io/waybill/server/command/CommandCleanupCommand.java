package io.waybill.server.command;

import io.waybill.ops.Cleanup;
import io.waybill.server.change.CleanupOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        description = {
            "Remove old finished commands, with their replies.",
            "",
            "A finished command protects its idempotency key: after removal, a repeated command runs again. At a"
                    + " worker behind a broker, keep commands longer than your longest process runs, or its steps can no"
                    + " longer be compensated. Commands of processes on the same database stay as long as their process."
        },
        mixinStandardHelpOptions = true)
final class CommandCleanupCommand implements Callable<Integer> {

    @Mixin
    private CleanupOptions cleanup = new CleanupOptions();

    @Option(names = "--days", paramLabel = "N", defaultValue = "30", description = "Keep the last N days (30).")
    private int days = 30;

    @Override
    public Integer call() {
        return cleanup.run(
                "commands",
                days,
                (store, options, progress) -> Cleanup.commands(store.commandStore(), options, progress));
    }
}
