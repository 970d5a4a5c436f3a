package io.waybill.testkit.services.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Where a service keeps its data: made empty, removed with everything in it. */
public final class TempDirectory {

    /** Linux's file system in memory. In a container it may be as small as 64 MB. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private static final long PLENTY = 4L << 30;

    private TempDirectory() {}

    public static Path create(String service) {
        try {
            return Files.createTempDirectory(prefix(service));
        } catch (IOException e) {
            throw new IllegalStateException("no temporary directory: " + e.getMessage(), e);
        }
    }

    /** In memory where there is plenty of it: a database made on a disk takes several times as long. */
    public static Path createInMemory(String service) {
        if (!Files.isWritable(MEMORY) || MEMORY.toFile().getUsableSpace() < PLENTY) {
            return create(service);
        }
        try {
            return Files.createTempDirectory(MEMORY, prefix(service));
        } catch (IOException e) {
            throw new IllegalStateException("no temporary directory in " + MEMORY + ": " + e.getMessage(), e);
        }
    }

    private static String prefix(String service) {
        return "waybill-" + service + "-";
    }

    /** Best effort: a server may still be removing its own files. */
    public static void delete(Path directory) {
        List<Path> deepestFirst;
        try (var files = Files.walk(directory)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return;
        }
        deepestFirst.forEach(path -> path.toFile().delete());
    }
}
