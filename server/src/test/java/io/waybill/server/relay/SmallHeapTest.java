package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.WaybillProcess;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A row that would not fit into the heap of the shipped pod fails alone; its payload is never read. */
class SmallHeapTest {

    private static final int LARGE = 70_000_000;
    private static final String TOO_LARGE = "Its payload has " + LARGE + " bytes, and max-payload is ";

    /** Of every source: a table, the columns of a row, and its values around the payload. */
    private static final List<String> INSERTS = List.of(
            "INSERT INTO outbox (destination, payload) VALUES ('own', %s)",
            "INSERT INTO kafka_outbox (topic, payload_json) VALUES ('kafka', %s)",
            "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at)"
                    + " VALUES (%s, '[]', 'outbox', '2020-01-01 00:00:00', '2020-01-01 00:00:00')");

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    SmallHeapTest() {}

    static Stream<Named<Supplier<TestDatabase>>> databases() {
        return Stream.of(
                Named.of("PostgreSQL", () -> Postgres.shared().newDatabase()),
                Named.of("MariaDB", () -> MariaDb.shared().newDatabase()));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void a_row_that_does_not_fit_fails_with_the_reason_and_all_others_are_sent(Supplier<TestDatabase> databases)
            throws Exception {
        try (TestDatabase database = databases.get()) {
            String url = RelayServiceContract.url(database);
            for (String layout : List.of("native", "kafka-outbox", "messenger-ordered")) {
                assertThat(Cli.run("schema", "apply", "--db", url, "--layout", layout)
                                .exitCode())
                        .isZero();
            }
            fill(database);
            Path config = Files.writeString(
                    directory.resolve("relay.yaml"), Cli.filled("""
                    sources:
                      - {name: own, db: "%1$s"}
                      - {name: kafka, db: "%1$s", layout: kafka-outbox}
                      - {name: messenger, db: "%1$s", layout: messenger-ordered}
                    routes: [{to: "file:%2$s"}]
                    """, url, directory.resolve("sent.ndjson")));

            Cli dry = run("dry", "relay", "run", "--config", config.toString(), "--dry-run");
            Cli sent = run("once", "relay", "run", "--config", config.toString(), "--once");

            assertThat(dry.exitCode()).as(dry.err()).isZero();
            assertThat(dry.out().lines()).hasSize(6);
            assertThat(dry.err().lines().filter(line -> line.contains("would fail: " + TOO_LARGE)))
                    .as(dry.err())
                    .hasSize(3);
            assertThat(sent.exitCode()).as(sent.err()).isEqualTo(3);
            assertThat(sent.out().lines().filter(line -> line.contains("2 messages sent, 1 failed, 0 pending")))
                    .as(sent.out() + sent.err())
                    .hasSize(3);
            assertThat(Files.readAllLines(directory.resolve("sent.ndjson"))).hasSize(6);
            for (String layout : List.of("native", "kafka-outbox", "messenger-ordered")) {
                String[] list = {"outbox", "list", "--db", url, "--layout", layout, "--status", "failed", "-o", "json"};
                Cli listed = layout.equals("native") ? run("list", list) : Cli.run(list);
                assertThat(listed.out()).as(layout + listed.err()).contains(TOO_LARGE);
            }
        }
    }

    /** A small row, a large one, a small one. */
    private static void fill(TestDatabase database) throws Exception {
        boolean mariaDb = database.jdbcUrl().startsWith("jdbc:mariadb:");
        if (mariaDb) {
            // For sessions that begin from here on: nothing that a server builds may be larger than its packets.
            database.execute("SET GLOBAL max_allowed_packet = 128 * 1024 * 1024");
        }
        for (String payload : List.of("'1'", "repeat('7', " + LARGE + ")", "'2'")) {
            for (String insert : INSERTS) {
                database.execute(Cli.filled(insert, payload));
            }
        }
    }

    private Cli run(String name, String... arguments) throws IOException, InterruptedException {
        try (var process = WaybillProcess.start(
                directory, name, List.of("-Xmx" + heapOfThePod() + "m", "-XX:+ExitOnOutOfMemoryError"), arguments)) {
            return process.ended();
        }
    }

    /** The image takes a part of the memory that the manifest grants. */
    private static long heapOfThePod() throws IOException {
        long megabytes = number("deploy/kubernetes.yaml", "limits:\\s+memory: (\\d+)Mi");
        return megabytes * number("Dockerfile", "MaxRAMPercentage=(\\d+)") / 100;
    }

    private static long number(String file, String pattern) throws IOException {
        Matcher found = Pattern.compile(pattern).matcher(Files.readString(Path.of(file)));
        assertThat(found.find()).as(file).isTrue();
        return Long.parseLong(found.group(1));
    }
}
