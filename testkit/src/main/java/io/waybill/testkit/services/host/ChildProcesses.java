package io.waybill.testkit.services.host;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Processes of services: found on the PATH, bound to the life of this JVM, ended. */
public final class ChildProcesses {

    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(20);

    private ChildProcesses() {}

    public static Optional<Path> onPath(String executable) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, executable))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The process whose id a server has written into the first line of a file. */
    public static ProcessHandle ofPidFile(Path file) {
        try (var lines = Files.lines(file)) {
            long pid = Long.parseLong(lines.findFirst().orElseThrow().strip());
            return ProcessHandle.of(pid)
                    .orElseThrow(() -> new IllegalStateException("no process " + pid + ", which " + file + " names"));
        } catch (IOException e) {
            throw new IllegalStateException("no process id in " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Ends the process with this JVM and removes its data, even if the JVM is killed and its shutdown hooks never run: a shell
     * reads from a pipe whose other end closes with the JVM.
     */
    public static void endWithThisJvm(ProcessHandle child, Path directory) {
        String end = "read _; kill -TERM $0; while kill -0 $0; do sleep 1; done; rm -rf \"$1\"";
        try {
            Process guard = new ProcessBuilder("sh", "-c", end, Long.toString(child.pid()), directory.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            var unused = child.onExit().thenRun(guard::destroyForcibly);
        } catch (IOException e) {
            throw new IllegalStateException("no shell to watch process " + child.pid() + ": " + e.getMessage(), e);
        }
    }

    /** kill -9 of a process and all below it; returns when they are gone. */
    public static void kill(ProcessHandle root) {
        List<ProcessHandle> tree =
                Stream.concat(Stream.of(root), root.descendants()).toList();
        tree.forEach(ProcessHandle::destroyForcibly);
        awaitExit(tree);
    }

    public static void awaitExit(List<ProcessHandle> processes) {
        try {
            CompletableFuture.allOf(
                            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(EXIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + processes, e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("still running after " + EXIT_TIMEOUT + ": " + processes, e);
        }
    }
}
