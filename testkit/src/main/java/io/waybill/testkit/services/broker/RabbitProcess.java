package io.waybill.testkit.services.broker;

import io.waybill.testkit.services.host.ChildProcesses;
import io.waybill.testkit.services.host.FreePort;
import io.waybill.testkit.services.host.TempDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * A RabbitMQ node from the installed {@code rabbitmq-server}, apart from any other on the machine: own name, ports, data,
 * configuration, cookie and port mapper.
 */
final class RabbitProcess {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    /**
     * Debian's command insists on its own user and directories, and is not on the PATH of an ordinary user; this is the script it
     * calls.
     */
    private static final Path BEHIND_DEBIANS_WRAPPER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

    private final Path directory;
    private final int port = FreePort.next();
    private final int epmdPort = FreePort.next();
    private final Process epmd;
    private final Path command;
    private final String name = "waybill-" + UUID.randomUUID() + "@localhost";
    private final int distributionPort = FreePort.next();
    private Process server;

    private RabbitProcess(Path command, Path directory) throws IOException {
        this.directory = directory;
        this.command = command;
        Files.writeString(directory.resolve("rabbitmq.conf"), "listeners.tcp.local = 127.0.0.1:" + port + "\n");
        Files.writeString(directory.resolve("enabled_plugins"), "[].\n");
        Files.createFile(directory.resolve("rabbitmq-env.conf"));
        // In the foreground: the one that Erlang starts by itself would outlive the node.
        epmd = run("epmd", "-address", "127.0.0.1", "-port", Integer.toString(epmdPort));
        server = run(command.toString());
    }

    static RabbitProcess start() {
        Path command = command().orElseThrow(() -> new IllegalStateException("rabbitmq-server: it is not installed"));
        Path directory = TempDirectory.create("rabbitmq");
        try {
            var process = new RabbitProcess(command, directory);
            process.awaitReady();
            return process;
        } catch (IOException e) {
            TempDirectory.delete(directory);
            throw new IllegalStateException("rabbitmq-server, " + command + ": " + e.getMessage(), e);
        }
    }

    static Optional<Path> command() {
        return Files.isExecutable(BEHIND_DEBIANS_WRAPPER)
                ? Optional.of(BEHIND_DEBIANS_WRAPPER)
                : ChildProcesses.onPath("rabbitmq-server");
    }

    String url() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    /** Kills the node and starts it again, with everything it has on disk. */
    void restart() {
        ChildProcesses.kill(server.toHandle());
        try {
            server = run(command.toString());
            awaitReady();
        } catch (IOException e) {
            throw new IllegalStateException("rabbitmq-server did not start again: " + e.getMessage(), e);
        }
    }

    void stop() {
        ChildProcesses.kill(server.toHandle());
        ChildProcesses.kill(epmd.toHandle());
        TempDirectory.delete(directory);
    }

    private void awaitReady() throws IOException {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!answers()) {
            if (!server.isAlive() || System.nanoTime() > deadline) {
                String reason =
                        server.isAlive() ? "no answer within " + START_TIMEOUT : "ended with " + server.exitValue();
                String output = Files.readString(console(), StandardCharsets.UTF_8);
                stop();
                throw new IOException(reason + ", having said: " + output.strip());
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    private boolean answers() {
        try {
            Rabbit.connect(url()).close();
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    private Process run(String... command) throws IOException {
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(console().toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("RABBITMQ_") || name.startsWith("ERL_"));
        builder.environment().putAll(environment());
        Process process = builder.start();
        ChildProcesses.endWithThisJvm(process.toHandle(), directory);
        return process;
    }

    private Map<String, String> environment() {
        var environment = new HashMap<String, String>();
        environment.put("HOME", directory.toString());
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
        environment.put("RABBITMQ_NODENAME", name);
        environment.put("RABBITMQ_NODE_PORT", Integer.toString(port));
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
        environment.put("RABBITMQ_CONF_ENV_FILE", file("rabbitmq-env.conf"));
        environment.put("RABBITMQ_CONFIG_FILE", file("rabbitmq.conf"));
        environment.put("RABBITMQ_ADVANCED_CONFIG_FILE", file("advanced.config"));
        environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", file("enabled_plugins"));
        environment.put("RABBITMQ_MNESIA_BASE", file("mnesia"));
        environment.put("RABBITMQ_LOG_BASE", file("log"));
        environment.put("RABBITMQ_PID_FILE", file("pid"));
        environment.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}");
        return environment;
    }

    private Path console() {
        return directory.resolve("console.log");
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }
}
