package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.ops.RelayNode;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.WaybillProcess;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After kill -9 the next relay waits for the shards of the dead one, and everybody who asks is told whose they are and until when. */
class SilenceAfterACrashTest {

    @TempDir
    Path directory;

    private final List<WaybillProcess> processes = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private int port;
    private TestDatabase database;
    private String url;

    @SuppressWarnings("NullAway.Init")
    SilenceAfterACrashTest() {}

    @BeforeEach
    void openDatabase() {
        database = Postgres.shared().newDatabase();
        url = RelayServiceContract.url(database);
        Cli.run("schema", "apply", "--db", url);
    }

    @AfterEach
    void close() {
        processes.forEach(WaybillProcess::close);
        database.close();
    }

    @Test
    void a_relay_that_waits_for_the_shards_of_a_dead_one_says_so_in_log_health_doctor_and_nodes() throws Exception {
        WaybillProcess first = relay("first");
        Eventually.is(() -> assertThat(nodes()).singleElement().matches(node -> node.shards() == 64));
        String dead = nodes().get(0).relay();
        first.close();
        assertThat(first.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
        database.execute("INSERT INTO outbox (destination, payload) VALUES ('orders', '1')");

        relay("second");
        Eventually.is(() -> assertThat(health()).contains("\"waiting\":{", dead + " holds 64 of 64 shards", "until "));
        Eventually.is(() -> {
            String says = Cli.run("doctor", "--db", url).out();
            assertThat(says)
                    .contains(dead + " has not renewed its leases since ", "has 64 shards, which are free in ")
                    .contains("1 relay is alive")
                    .doesNotContain("2 relays are alive");
        });
        assertThat(Cli.run("relay", "list", "--db", url).out())
                .contains("overdue", "waits for", dead + " (64 shards, free in ");
        assertThat(Cli.run("waiting", "--db", url).out())
                .contains("shard " + dead, "does not renew its leases", "when other relays may take them");
        assertThat(log("second", "WB-117")).singleElement().asString().contains(dead, "until ");

        Eventually.is(() -> assertThat(log("second", "WB-127")).hasSize(1));
        assertThat(health()).contains("\"waiting\":{}");
        assertThat(log("second", "WB-117")).hasSize(1);
        Eventually.is(() -> assertThat(nodes()).singleElement().matches(node -> node.shards() == 64));
        assertThat(Cli.run("waiting", "--db", url).out()).doesNotContain("shard");
    }

    /** The relay service as a process of its own. */
    private WaybillProcess relay(String name) throws IOException {
        port = freePort();
        Path config = Files.writeString(directory.resolve(name + ".yaml"), Cli.filled("""
                sources:
                  - {name: shop, db: "%s", lease-time: 12s}
                routes:
                  - {to: "stdout:"}
                """, url));
        var process = WaybillProcess.start(
                directory,
                name,
                List.of(),
                "relay",
                "run",
                "--config",
                config.toString(),
                "--health",
                String.valueOf(port));
        processes.add(process);
        return process;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private List<RelayNode> nodes() {
        return JdbcStore.on(database.dataSource()).relayNodes();
    }

    private String health() throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/ready"));
        try {
            return client.send(request.build(), BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "not started: " + e;
        }
    }

    private List<String> log(String name, String code) throws IOException {
        return Files.readString(directory.resolve(name + ".log"), UTF_8)
                .lines()
                .filter(line -> line.contains(code))
                .toList();
    }
}
