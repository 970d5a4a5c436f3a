package com.acme.payments.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HttpTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private TestDatabase database;
    private EmbeddedServer server;

    @SuppressWarnings("NullAway.Init")
    HttpTest() {}

    @BeforeAll
    void start() {
        database = H2.newDatabase();
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "micronaut.server.port",
                        -1,
                        "micronaut.server.host",
                        "127.0.0.1",
                        "datasources.default.url",
                        database.jdbcUrl(),
                        "datasources.default.username",
                        database.user()));
    }

    @AfterAll
    void stop() {
        server.close();
        database.close();
    }

    @Test
    void an_account_is_opened_and_pays() throws Exception {
        String opened = post(
                "/accounts",
                "{\"customerId\": \"" + UUID.randomUUID()
                        + "\", \"accountNumber\": \"A-1\", \"currency\": \"EUR\", \"openingBalance\": 100.00}");
        String account = opened.replaceAll(".*\"accountId\":\"([^\"]+)\".*", "$1");
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(get("/accounts/" + account).body()).contains("\"active\":true"));

        UUID payment = UUID.randomUUID();
        post(
                "/payments",
                "{\"paymentId\": \"" + payment + "\", \"accountId\": \"" + account
                        + "\", \"beneficiary\": \"Bob\", \"amount\": 30.00, \"currency\": \"EUR\"}");

        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(get("/payments/" + payment).body()).contains("SUCCEEDED", "\"paid\":true"));
        assertThat(get("/accounts/" + account).body()).contains("70.00 EUR", "DEBIT 30.00 EUR");
    }

    @Test
    void what_does_not_exist_is_not_found() throws Exception {
        assertThat(get("/payments/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
    }

    @Test
    void health_is_up() throws Exception {
        HttpResponse<String> health = get("/health");

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"status\":\"UP\"", "\"outbox\":\"UP\"", "\"database\":\"UP\"");
    }

    private String post(String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return response.body();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return server.getURI().resolve(path);
    }
}
