package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;

/** A Python program that writes rows through the database's own client, with the columns that a layout calls public. */
final class PythonWriter {

    private static final String PROGRAM = """
            import json, subprocess, sys, uuid
            client, layout, table, count, now = sys.argv[1:6]
            statements = []
            for n in range(int(count)):
                body = json.dumps({"n": n})
                statements.append({
                    "native": f"INSERT INTO outbox (destination, partition_key, payload) VALUES ('orders', 'k', '{body}')",
                    "kafka-outbox": f"INSERT INTO kafka_outbox (topic, payload_json, partition_key) VALUES ('orders', '{body}', 'k')",
                    "messenger": f"INSERT INTO {table} (body, headers, queue_name, created_at, available_at)"
                                 f" VALUES ('{body}', '[]', 'outbox', {now}, {now})",
                    "messenger-ordered": f"INSERT INTO {table} (body, headers, queue_name, created_at, available_at, partition_key)"
                                         f" VALUES ('{body}', '[]', 'outbox', {now}, {now}, 'k')",
                    "outbox-messages": f"INSERT INTO outbox_messages (id, event_type, payload, status)"
                                       f" VALUES ('{uuid.uuid4()}', 'OrderCreated', '{body}', 'pending')",
                    "debezium": f"INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)"
                                f" VALUES ('{uuid.uuid4()}', 'order', 'k', 'OrderPlaced', '{body}')",
                }[layout])
            done = subprocess.run(json.loads(client), input=";\\n".join(statements) + ";\\n", text=True, capture_output=True)
            sys.stderr.write(done.stderr)
            sys.exit(done.returncode)
            """;

    private final String client;
    private final String now;

    private PythonWriter(String client, String now) {
        this.client = client;
        this.now = now;
    }

    /** Skips the test, with a message, where there is no Python or no client of the database. */
    static PythonWriter find(TestDatabase database) throws Exception {
        boolean postgres = database.jdbcUrl().startsWith("jdbc:postgresql:");
        String client = postgres ? "psql" : "mariadb";
        Assumptions.assumeTrue(runs("python3"), "python3 is not there: no writer in another language is tested");
        Assumptions.assumeTrue(runs(client), client + " is not there: no writer in another language is tested");
        var address = java.net.URI.create(database.jdbcUrl().substring("jdbc:".length()));
        String name = address.getPath().substring(1);
        List<String> command = postgres
                ? List.of(
                        "psql",
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-q",
                        "-h",
                        address.getHost(),
                        "-p",
                        "" + address.getPort(),
                        "-U",
                        database.user(),
                        name)
                : List.of(
                        "mariadb",
                        "--protocol=tcp",
                        "-h",
                        address.getHost(),
                        "-P",
                        "" + address.getPort(),
                        "-u",
                        database.user(),
                        name);
        return new PythonWriter(
                "[\"" + String.join("\", \"", command) + "\"]",
                postgres ? "date_trunc('second', now() AT TIME ZONE 'UTC')" : "UTC_TIMESTAMP()");
    }

    private static boolean runs(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    void write(String layout, String table, int count) throws Exception {
        Process process = new ProcessBuilder(
                        "python3", "-c", PROGRAM, client, layout, table, String.format(Locale.ROOT, "%d", count), now)
                .start();
        String error = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(error).isZero();
    }
}
