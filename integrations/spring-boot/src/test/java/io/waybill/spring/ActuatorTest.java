package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Message;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What probes and people get from Actuator over HTTP, of an application whose passwords must stay where they are. */
final class ActuatorTest {

    private static final String SECRET = "s3cret";
    private static final String DETAILS = "management.endpoint.health.show-details=always";
    private static final Duration SOON = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newHttpClient();
    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init")
    ActuatorTest() {}

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void an_application_that_works_is_up_and_shows_what_waits() {
        start(Shop.class, DETAILS);
        append("mails.sent");

        Answer health = get("health");
        JsonNode readiness = health.json().at("/components/waybillReadiness");
        assertThat(health.status()).isEqualTo(200);
        assertThat(readiness.at("/status").asString()).isEqualTo("UP");
        assertThat(readiness.at("/details/database").asString()).isEqualTo("UP");
        assertThat(readiness.at("/details/relays").asInt()).isEqualTo(1);
        assertThat(readiness.at("/details/pending").asInt()).isEqualTo(1);
        assertThat(health.json().at("/components/waybillLiveness/status").asString())
                .isEqualTo("UP");
        assertThat(get("health/readiness").status()).isEqualTo(200);
        assertThat(get("health/liveness").status()).isEqualTo(200);
    }

    @Test
    void meters_are_among_those_of_the_application() {
        start(Shop.class);
        append("mails.sent");

        assertThat(get("metrics").body()).contains("\"waybill.outbox.backlog\"", "\"waybill.dead.letters\"");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(get("metrics/waybill.outbox.backlog")
                                .json()
                                .at("/measurements/0/value")
                                .asInt())
                        .isEqualTo(1));
    }

    @Test
    void a_missing_table_is_not_ready_but_alive() {
        start(Shop.class, DETAILS);
        context.getBean(JdbcTemplate.class).execute("ALTER TABLE failed_message RENAME TO somewhere_else");

        Answer readiness = get("health/readiness");
        assertThat(readiness.status()).isEqualTo(503);
        assertThat(readiness.json().at("/status").asString()).isEqualTo("DOWN");
        assertThat(readiness
                        .json()
                        .at("/components/waybillReadiness/details/schema/0")
                        .asString())
                .contains("failed_message");
        assertThat(get("health/liveness").status()).isEqualTo(200);
    }

    @Test
    void a_database_that_is_away_is_not_ready_but_alive() {
        start(Shop.class, DETAILS);
        context.getBean(JdbcTemplate.class).execute("SHUTDOWN");

        Answer readiness = get("health/readiness");
        assertThat(readiness.status()).isEqualTo(503);
        assertThat(readiness
                        .json()
                        .at("/components/waybillReadiness/details/database")
                        .asString())
                .isEqualTo("DOWN");
        assertThat(get("health/liveness").status()).isEqualTo(200);
    }

    @Test
    void a_relay_that_has_ended_is_not_alive() {
        start(Stuck.class, DETAILS);
        assertThat(get("health/liveness").status()).isEqualTo(200);
        append("orders.placed");

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(get("health/liveness").status()).isEqualTo(503));
        assertThat(get("health/liveness")
                        .json()
                        .at("/components/waybillLiveness/status")
                        .asString())
                .isEqualTo("DOWN");
        assertThat(get("health/readiness").status()).isEqualTo(200);
    }

    @Test
    void strangers_see_no_details() {
        start(Shop.class);

        assertThat(get("health").json().at("/status").asString()).isEqualTo("UP");
        assertThat(get("health").body()).doesNotContain("waybill");
        assertThat(get("health/readiness").body()).isEqualTo("{\"status\":\"UP\"}");
    }

    private void start(Class<?> application, String... more) {
        context = new SpringApplicationBuilder(application)
                .web(WebApplicationType.SERVLET)
                .properties(more)
                .properties(
                        SpringFixture.WITHOUT_JPA,
                        "server.address=127.0.0.1",
                        "server.port=0",
                        "spring.datasource.url=" + database,
                        "spring.datasource.username=shop",
                        "spring.datasource.password=" + SECRET,
                        "spring.datasource.hikari.connection-timeout=1000",
                        "management.endpoints.web.exposure.include=health,metrics",
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.group.readiness.include=readinessState,waybillReadiness",
                        "management.endpoint.health.group.liveness.include=livenessState,waybillLiveness",
                        // Nobody listens there.
                        "waybill.routes[0].pattern=mails.*",
                        "waybill.routes[0].url=jms+artemis://shop:" + SECRET + "@127.0.0.1:1")
                .run();
    }

    private void append(String destination) {
        context.getBean(Waybill.class)
                .transactions()
                .inTransaction(transaction -> context.getBean(Outbox.class)
                        .append(Message.event("Placed", "o-1").as("text/plain").to(destination)));
    }

    private Answer get(String endpoint) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + endpoint))
                .build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.body()).as(endpoint).doesNotContain(SECRET);
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private record Answer(int status, String body) {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    /** An application that has nothing but Waybill and Actuator. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    /** The same, whose relay ends with its first message. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(HealthTest.Ending.class)
    static class Stuck {}
}
