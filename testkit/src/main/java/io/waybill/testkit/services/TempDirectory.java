package io.waybill.testkit.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Where a service keeps its data: made empty, removed with everything in it. */
final class TempDirectory {

    private TempDirectory() {}

    static Path create(String service) {
        try {
            return Files.createTempDirectory("waybill-" + service + "-");
        } catch (IOException e) {
            throw new IllegalStateException("no temporary directory: " + e.getMessage(), e);
        }
    }

    /** Best effort: a server may still be removing its own files. */
    static void delete(Path directory) {
        List<Path> deepestFirst;
        try (var files = Files.walk(directory)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return;
        }
        deepestFirst.forEach(path -> path.toFile().delete());
    }
}
