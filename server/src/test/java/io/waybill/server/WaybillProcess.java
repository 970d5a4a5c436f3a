package io.waybill.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line as a process of its own, with a heap of its own. */
public record WaybillProcess(Process process, Path out, Path err) implements AutoCloseable {

    /**
     * Starts it.
     *
     * @param directory where it writes what it says
     * @param name of these files
     * @param heap options of the JVM
     */
    public static WaybillProcess start(Path directory, String name, List<String> heap, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(heap);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        Path out = directory.resolve(name + ".out");
        Path err = directory.resolve(name + ".log");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new WaybillProcess(process, out, err);
    }

    /** Waits for its end. */
    public Cli ended() throws IOException, InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("It did not end, having said: " + log());
        }
        return new Cli(process.exitValue(), Files.readString(out, UTF_8), log());
    }

    /** What it has logged so far. */
    public String log() throws IOException {
        return Files.readString(err, UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
