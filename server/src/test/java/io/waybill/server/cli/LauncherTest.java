package io.waybill.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code waybill}, with a jar that has no classes of its own but names those of the build. */
class LauncherTest {

    /** A transport as somebody else writes it. */
    private static final String PIGEONS = """
            package loft;

            import io.waybill.transport.*;
            import java.util.Set;

            public class Pigeons implements TransportProvider {
                public Set<String> schemes() {
                    return Set.of("pigeon");
                }

                public Transport open(TransportUrl url) {
                    return Transport.of((batch, deadline) -> Publisher.oneByOne(batch, deadline, message -> {
                        System.out.println("A pigeon carries " + message.payload().asText() + " to " + message.destination());
                        return new Outcome.Accepted();
                    }));
                }
            }
            """;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    LauncherTest() {}

    @Test
    void a_transport_of_ones_own_is_found_where_the_class_path_leads() throws Exception {
        Path home = home();
        Path own = transport();
        String database = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";
        Cli.run("schema", "apply", "--db", database);
        String[] relay = {"relay", "run", "--db", database, "--to", "pigeon://loft", "--once"};

        insert(database);

        Ran without = run(home, "", relay);
        Ran with = run(home, "/nowhere.jar" + File.pathSeparator + own, relay);

        assertThat(without.exitCode).isEqualTo(2);
        assertThat(without.output).contains("Nothing here opens pigeon://loft");
        assertThat(with.output).contains("A pigeon carries corn to orders", "1 messages sent");
    }

    /** The script beside a jar that is newer than any source it finds. */
    private Path home() throws IOException {
        Path home = Files.createDirectories(directory.resolve("home"));
        Path script = Files.copy(Path.of("..", "waybill"), home.resolve("waybill"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        Path jar = Files.createDirectories(home.resolve("server/target")).resolve("waybill.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return home;
    }

    private Path transport() throws IOException {
        Path own = Files.createDirectories(directory.resolve("own"));
        Path source = Files.writeString(directory.resolve("Pigeons.java"), PIGEONS);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", own.toString(), source.toString());
        assertThat(compiled).isZero();
        Path services = Files.createDirectories(own.resolve("META-INF/services"));
        Files.writeString(services.resolve("io.waybill.transport.TransportProvider"), "loft.Pigeons\n");
        return own;
    }

    private static void insert(String database) throws Exception {
        try (var connection = DriverManager.getConnection(database);
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO outbox (destination, payload) VALUES ('orders', 'corn')");
        }
    }

    private record Ran(int exitCode, String output) {}

    private Ran run(Path home, String classPath, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(home.resolve("waybill").toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(directory, "ran", ".txt");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("WAYBILL_CLASSPATH", classPath);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Ran(process.exitValue(), Files.readString(output, UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }
}
