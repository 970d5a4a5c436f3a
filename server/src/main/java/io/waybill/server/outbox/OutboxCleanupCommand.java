package io.waybill.server.outbox;

import io.waybill.ops.Cleanup;
import io.waybill.ops.NdjsonArchive;
import io.waybill.server.change.CleanupOptions;
import io.waybill.server.change.OutboxTableOptions;
import io.waybill.store.admin.Archive;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "cleanup",
        description = {
            "Remove old published and discarded messages, a thousand at a time.",
            "",
            "In an adopted table (--layout) it removes published rows."
        },
        mixinStandardHelpOptions = true)
final class OutboxCleanupCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private CleanupOptions cleanup = new CleanupOptions();

    @Option(names = "--days", paramLabel = "N", defaultValue = "7", description = "Keep the last N days (7).")
    private int days = 7;

    @ArgGroup
    private @Nullable ArchiveOptions archive;

    /** Where a copy goes, to one place at most. */
    static final class ArchiveOptions {

        @Option(names = "--archive-table", description = "Move them to the table outbox_archive.")
        private boolean table;

        @Option(
                names = "--archive-file",
                paramLabel = "FILE",
                description = {
                    "Append them to this file first, one JSON object per line.",
                    "After an interruption the last ones may be in it twice."
                })
        private @Nullable Path file;
    }

    @Mixin
    private OutboxTableOptions table = new OutboxTableOptions();

    @Override
    public Integer call() {
        if (table.isAdopted()) {
            if (archive != null) {
                throw new ParameterException(
                        spec.commandLine(), "Rows of an adopted table are not archived here: leave --archive-... out.");
            }
            return cleanup.run("messages", days, table);
        }
        if (archive == null) {
            return run(Archive.NONE, "");
        }
        if (archive.table || archive.file == null) {
            return run(Archive.TABLE, "outbox_archive");
        }
        try (var file = NdjsonArchive.open(archive.file)) {
            return run(Archive.to(file), archive.file.toString());
        }
    }

    private int run(Archive to, String keptIn) {
        return cleanup.run(
                "messages",
                days,
                to,
                keptIn,
                (store, options, progress) -> new Cleanup(store.cleanup()).outbox(options, progress));
    }
}
