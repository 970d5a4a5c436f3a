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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HttpTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String TOKEN = "a token of the tests";

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
                        database.user(),
                        "payments.api-token",
                        TOKEN));
    }

    @AfterAll
    void stop() {
        server.close();
        database.close();
    }

    @Test
    void an_account_is_opened_and_pays() throws Exception {
        String account = opened("A-1");
        UUID payment = UUID.randomUUID();
        post(
                "/payments",
                "{\"paymentId\": \"" + payment + "\", \"accountId\": \"" + account
                        + "\", \"beneficiary\": {\"name\": \"Bob\"}, \"amount\": 30.00, \"currency\": \"EUR\"}");

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
    void a_deposit_is_one_command_and_is_made_once() throws Exception {
        String account = opened("A-2");
        String deposit = "{\"requestId\": \"" + UUID.randomUUID() + "\", \"amount\": 5.50, \"currency\": \"EUR\"}";

        HttpResponse<String> first = send("/accounts/" + account + "/deposits", deposit);
        HttpResponse<String> second = send("/accounts/" + account + "/deposits", deposit);

        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body()).contains("105.5");
        assertThat(send("/accounts/" + UUID.randomUUID() + "/deposits", deposit).statusCode())
                .as("the request is that of another account")
                .isEqualTo(409);
    }

    @Test
    void what_is_wrong_with_a_request_is_said_before_a_number_is_computed_with() throws Exception {
        String account = UUID.randomUUID().toString();
        for (String amount : List.of("1E999999999", "0", "-5", "1.234", "\"" + "9".repeat(500) + "\"", "null")) {
            HttpResponse<String> response = send(
                    "/accounts/" + account + "/deposits",
                    "{\"requestId\": \"" + UUID.randomUUID() + "\", \"amount\": " + amount
                            + ", \"currency\": \"EUR\"}");
            assertThat(response.statusCode())
                    .as(amount + ": " + response.body())
                    .isEqualTo(400);
        }
        assertThat(send("/payments", "{}").body()).contains("paymentId is required");
    }

    @Test
    void strangers_get_nothing_but_up_or_down() throws Exception {
        for (String path : List.of("/accounts/" + UUID.randomUUID(), "/payments/" + UUID.randomUUID(), "/metrics")) {
            assertThat(anonymous(path).statusCode()).as(path).isEqualTo(401);
        }
        HttpRequest wrong = HttpRequest.newBuilder(uri("/payments/" + UUID.randomUUID()))
                .header("authorization", "Bearer another token")
                .build();
        assertThat(client.send(wrong, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
        HttpResponse<String> health = anonymous("/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("UP").doesNotContain("outbox", "database", "jdbc");
    }

    @Test
    void health_has_details_for_those_with_the_token() throws Exception {
        HttpResponse<String> health = get("/health");

        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"status\":\"UP\"", "\"outbox\":\"UP\"", "\"database\":\"UP\"");
    }

    private String opened(String number) throws Exception {
        String opened = post(
                "/accounts",
                "{\"customerId\": \"" + UUID.randomUUID() + "\", \"accountNumber\": \"" + number
                        + "\", \"currency\": \"EUR\", \"openingBalance\": 100.00, \"limits\": [{\"period\":"
                        + " \"DAILY\", \"amount\": 500}]}");
        String account = opened.replaceAll(".*\"accountId\":\"([^\"]+)\".*", "$1");
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(get("/accounts/" + account).body()).contains("\"active\":true"));
        return account;
    }

    private String post(String path, String json) throws IOException, InterruptedException {
        HttpResponse<String> response = send(path, json);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return response.body();
    }

    private HttpResponse<String> send(String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("content-type", "application/json")
                .header("authorization", "Bearer " + TOKEN)
                .POST(BodyPublishers.ofString(json))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("authorization", "Bearer " + TOKEN)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> anonymous(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return server.getURI().resolve(path);
    }
}
