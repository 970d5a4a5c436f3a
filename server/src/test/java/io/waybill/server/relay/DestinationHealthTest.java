package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.sun.net.httpserver.HttpServer;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.ConfigWatch;
import io.waybill.server.config.ListenAddress;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.testkit.services.broker.Artemis;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a person reads of the relay service when a destination is away or refuses, and when its file changes: health, the log, the CLI. */
class DestinationHealthTest {

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Lines lines = new Lines();
    private TestDatabase database;
    private String url;

    @SuppressWarnings("NullAway.Init")
    DestinationHealthTest() {}

    @BeforeEach
    void open() {
        database = Postgres.shared().newDatabase();
        url = RelayServiceContract.url(database);
        Cli.run("schema", "apply", "--db", url);
        lines.start();
        lines.logger.addAppender(lines);
    }

    @AfterEach
    void close() {
        lines.logger.detachAppender(lines);
        database.close();
    }

    @Test
    void a_broker_that_is_stopped_and_started_again_is_in_health_and_in_the_log() throws Exception {
        try (Artemis broker = Artemis.start();
                var service = RelayService.start(RelayConfigFile.read(config("{to: \"" + jms(broker) + "\"}")));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            append("orders");
            Eventually.is(() -> assertThat(database.rows("SELECT count(*) FROM outbox" + " WHERE status = 'PENDING'"))
                    .containsExactly("0"));
            assertThat(get(health)).contains("\"status\":\"UP\"", "\"destinations\":{}");

            broker.restart(() -> {
                append("orders");
                Eventually.is(() -> assertThat(get(health))
                        .contains(
                                "\"status\":\"UP\"", "\"destinations\":{\"shop: orders\":\"destination orders since 20")
                        .contains("Ends when it responds"));
                assertThat(lines.with("WB-102")).singleElement().asString().contains("orders is not available");
            });

            Eventually.is(() -> assertThat(get(health)).contains("\"destinations\":{}"));
            assertThat(lines.with("WB-128")).singleElement().asString().contains("orders accepts messages again");
        }
    }

    @Test
    void a_destination_that_refuses_messages_is_in_health_in_the_log_and_in_waiting() throws Exception {
        var status = new AtomicInteger(400);
        HttpServer endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.createContext("/", exchange -> {
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        endpoint.start();
        String to = "webhook+http://127.0.0.1:" + endpoint.getAddress().getPort()
                + "/hook?allow-private=true&secret=whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0";
        try (var service = RelayService.start(RelayConfigFile.read(config("{to: \"" + to + "\"}")));
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            append("hooks");

            Eventually.is(() -> assertThat(get(health))
                    .contains("\"shop: hooks\":\"destination hooks since 20", "it refuses messages: ", "400"));
            assertThat(lines.with("WB-124"))
                    .singleElement()
                    .asString()
                    .contains("hooks refuses messages", "400", "is retried at 20", "9 attempts left")
                    .contains("'waybill failed list --state retrying --from hooks'");
            assertThat(Cli.run("waiting", "--db", url, "--all").out())
                    .contains("message hooks (retrying)", "an error is: ", "400");
            assertThat(Cli.run("failed", "list", "--db", url, "--state", "retrying", "--from", "hooks")
                            .out())
                    .contains("hooks", "400");

            status.set(200);
            Eventually.is(() -> assertThat(get(health)).contains("\"destinations\":{}"));
            assertThat(lines.with("WB-125")).singleElement().asString().contains("hooks");
        } finally {
            endpoint.stop(0);
        }
    }

    @Test
    void a_file_that_is_refused_and_one_that_is_in_force_have_a_line_each() throws Exception {
        Path file = config("{to: \"stdout:\"}");
        String good = Files.readString(file);
        try (var service = RelayService.start(RelayConfigFile.read(file));
                var watch = ConfigWatch.start(file, service::serve, service::refuse);
                var health = HealthServer.start(ListenAddress.parse("0"), service)) {
            Files.writeString(file, good.replace("routes", "roots"));
            Eventually.is(() -> assertThat(get(health)).contains("\"configuration\":", "roots"));
            assertThat(lines.with("WB-112")).singleElement().asString().contains("is not used", "roots");

            Files.writeString(file, good + "# again\n");
            Eventually.is(() -> assertThat(lines.with("WB-129"))
                    .singleElement()
                    .asString()
                    .contains(file.toString(), "is in force"));
            Eventually.is(() -> assertThat(get(health)).contains("\"problems\":{}"));
        }
    }

    private String jms(Artemis broker) {
        return broker.url().replace("tcp://", "jms+artemis://");
    }

    private Path config(String route) throws IOException {
        return Files.writeString(directory.resolve("relay.yaml"), Cli.filled("""
                sources:
                  - {name: shop, db: "%s"}
                routes:
                  - %s
                """, url, route));
    }

    private void append(String destination) throws Exception {
        database.execute("INSERT INTO outbox (destination, payload) VALUES ('" + destination + "', '{}')");
    }

    private String get(HealthServer health) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + health.port() + "/health/ready"))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        final Logger logger = (Logger) LoggerFactory.getLogger("io.waybill");
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            all.add(event.getFormattedMessage());
        }

        List<String> with(String code) {
            return all.stream().filter(line -> line.startsWith(code)).toList();
        }
    }
}
