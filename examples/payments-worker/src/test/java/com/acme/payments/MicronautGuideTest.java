package com.acme.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.conventions.GuideProject;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who follows docs/micronaut.md word for word has an application that works. */
final class MicronautGuideTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void the_application_of_the_guide_takes_orders_and_undoes_what_it_cannot_deliver(@TempDir Path folder)
            throws Exception {
        var guide = GuideProject.of("micronaut.md", folder);
        assertThat(guide.names()).contains("pom.xml", "src/main/resources/application.yml");
        assertThat(guide.names().stream().filter(name -> name.endsWith(".java")).count())
                .as("every Java block of the guide is a file")
                .isEqualTo(javaBlocks());
        assertThat(guide.text("pom.xml"))
                .contains("<micronaut.version>" + GuideProject.property("micronaut.version") + "</micronaut.version>")
                .contains("<waybill.version>" + GuideProject.property("version") + "</waybill.version>");
        assertThat(guide.compile()).isEmpty();
        int port = freePort();

        // Micronaut Security is on the class path of this module, and not in the guide's pom.
        Process application = guide.start(
                "com.acme.shop.Application",
                Map.of("SHOP_PORT", String.valueOf(port), "MICRONAUT_SECURITY_ENABLED", "false"));
        try {
            String orders = "http://127.0.0.1:" + port + "/orders/";
            await().atMost(SOON)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> !application.isAlive() || order(orders + "o-1") == 200);
            assertThat(application.isAlive()).as(guide.log()).isTrue();
            assertThat(order(orders + "o-2")).isEqualTo(200);

            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(get(orders + "o-1") + get(orders + "o-2"))
                            .contains("SUCCEEDED")
                            .contains("COMPENSATED")
                            .contains("not enough stock of lamp"));
            assertThat(get("http://127.0.0.1:" + port + "/health")).contains("\"outbox\":\"UP\"");
            assertThat(get("http://127.0.0.1:" + port + "/metrics/waybill.process.ended"))
                    .contains("\"compensated\"");
            assertThat(guide.log()).contains("Thank you for ordering 5 of lamp");
        } finally {
            application.destroyForcibly();
        }
    }

    private static long javaBlocks() throws IOException {
        return Files.readString(Path.of("../../docs/micronaut.md"))
                .lines()
                .filter("```java"::equals)
                .count();
    }

    private int order(String uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString("{\"item\": \"lamp\", \"amount\": 5}"))
                .build();
        return client.send(request, BodyHandlers.ofString()).statusCode();
    }

    private String get(String uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
                .body();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
