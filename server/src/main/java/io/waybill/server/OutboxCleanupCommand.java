package io.waybill.server;

import io.waybill.jdbc.JdbcStore;
import io.waybill.ops.Cleanup;
import io.waybill.ops.NdjsonArchive;
import io.waybill.store.Archive;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        description = "Removes messages that were dispatched or discarded some days ago, a thousand at a time.",
        mixinStandardHelpOptions = true)
final class OutboxCleanupCommand implements Callable<Integer> {

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

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

    @Override
    public Integer call() {
        Cleanup.Options options = cleanup.olderThan(days);
        return database.use(store -> run(store, options));
    }

    private int run(JdbcStore store, Cleanup.Options options) {
        var work = new Cleanup(store.cleanup());
        if (archive == null) {
            return cleanup.run(store, job(null), options, work::outbox);
        }
        if (archive.table || archive.file == null) {
            return cleanup.run(store, job("outbox_archive"), options.archive(Archive.TABLE), work::outbox);
        }
        try (var file = NdjsonArchive.open(archive.file)) {
            return cleanup.run(store, job(archive.file.toString()), options.archive(Archive.to(file)), work::outbox);
        }
    }

    private CleanupOptions.Job job(@Nullable String keptIn) {
        return new CleanupOptions.Job("messages", days, database.shown(), keptIn);
    }
}
