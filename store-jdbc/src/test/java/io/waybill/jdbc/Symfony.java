package io.waybill.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A PHP application with Symfony Messenger, where PHP and Symfony are installed. */
public final class Symfony {

    private final TestDatabase database;
    private final Path program;

    private Symfony(TestDatabase database, Path program) {
        this.database = database;
        this.program = program;
    }

    /** Skips the test, and says so, where there is no PHP with Symfony. */
    public static Symfony on(TestDatabase database) throws IOException {
        Path program = Files.createTempFile("symfony", ".php");
        program.toFile().deleteOnExit();
        Files.writeString(program, recorded("symfony.php"));
        Assumptions.assumeTrue(
                succeeds(List.of("php", program.toString(), "there")),
                "NOT TESTED: Symfony itself, because PHP with symfony/messenger, serializer and doctrine/dbal is not installed");
        return new Symfony(database, program);
    }

    /** Runs one of the program's commands; returns what it printed. */
    public String run(String command, String table, String queue, String format, String zone) {
        var address = URI.create(database.jdbcUrl().substring("jdbc:".length()));
        boolean postgres = database.jdbcUrl().startsWith("jdbc:postgresql:");
        try {
            Process php = new ProcessBuilder(
                            "php",
                            program.toString(),
                            command,
                            postgres ? "pgsql" : "mysql",
                            address.getHost().equals("localhost") ? "127.0.0.1" : address.getHost(),
                            String.valueOf(address.getPort()),
                            address.getPath().substring(1),
                            database.user(),
                            table,
                            queue,
                            format,
                            zone)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(php.getInputStream().readAllBytes(), UTF_8);
            if (php.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
            return said;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean succeeds(List<String> command) {
        try {
            Process php = new ProcessBuilder(new ArrayList<>(command))
                    .redirectErrorStream(true)
                    .start();
            return php.waitFor(30, TimeUnit.SECONDS) && php.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A part of a row as Symfony wrote it. */
    public static String recorded(String name) {
        try (var in = Symfony.class.getResourceAsStream("/io/waybill/jdbc/messenger/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
