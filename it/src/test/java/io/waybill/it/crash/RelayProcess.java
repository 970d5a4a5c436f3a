package io.waybill.it.crash;

import io.waybill.testkit.services.database.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A relay or a receiver in a JVM of its own, to be frozen and killed. */
public final class RelayProcess implements AutoCloseable {

    private final Process process;

    private RelayProcess(Process process) {
        this.process = process;
    }

    static RelayProcess start(TestDatabase database, LineBroker broker, Duration leaseTime) throws IOException {
        return start(RelayMain.class, database, String.valueOf(broker.port()), String.valueOf(leaseTime.toMillis()));
    }

    /** Runs this program; its first arguments say where the database is. */
    public static RelayProcess start(Class<?> main, TestDatabase database, String... more) throws IOException {
        File log = File.createTempFile("waybill-process", ".log");
        log.deleteOnExit();
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                database.jdbcUrl(),
                database.user(),
                database.password()));
        command.addAll(List.of(more));
        return new RelayProcess(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start());
    }

    public void freeze() {
        signal("STOP");
    }

    public void thaw() {
        signal("CONT");
    }

    /** SIGTERM, which a JVM answers with its shutdown hooks. Returns the exit code. */
    int terminate() {
        signal("TERM");
        return awaitEnd();
    }

    /** SIGKILL: no farewell, no finally, no shutdown hook. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int awaitEnd() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The process " + process.pid() + " does not end.");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " answered " + code);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
