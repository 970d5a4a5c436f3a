package io.waybill.webhook;

import static io.waybill.webhook.HookServer.answering;
import static io.waybill.webhook.Samples.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.testkit.ManualClock;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a request looks like to its receiver. */
class RequestHeadersTest {

    private final ManualClock clock = ManualClock.at(Instant.ofEpochSecond(1_800_000_000));
    private HookServer server;

    @BeforeEach
    void start() {
        server = HookServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void the_id_stays_and_the_timestamp_is_of_the_attempt() {
        Envelope message = message("orders", "1");
        server.on("/hook", answering(503));
        Webhooks webhooks = open();
        publish(webhooks, message, WireFormat.PLAIN);
        clock.advance(Duration.ofMinutes(2));
        publish(webhooks, message, WireFormat.PLAIN);

        assertThat(server.calls())
                .extracting(call -> call.header("webhook-id"))
                .containsOnly(message.id().toString());
        assertThat(server.calls())
                .extracting(call -> call.header("webhook-timestamp"))
                .containsExactly("1800000000", "1800000120");
    }

    @Test
    void headers_of_the_application_go_along_when_they_are_listed() {
        HookServer.Call call = arrived(
                message(
                        "orders",
                        "1",
                        Map.of(
                                "x-tenant",
                                "acme, inc. 100%",
                                "x-internal-token",
                                "t-1",
                                "X-Trace-Depth",
                                "3",
                                "content-type",
                                "application/json")),
                WireFormat.PLAIN);

        assertThat(call.headers())
                .containsEntry("x-tenant", "acme, inc. 100%")
                .containsEntry("x-trace-depth", "3")
                .doesNotContainKey("x-internal-token")
                .containsEntry("content-type", "application/json")
                .containsEntry("message-type", "OrderPlaced")
                .containsEntry("user-agent", "Waybill");
    }

    @Test
    void headers_about_the_connection_and_names_that_http_does_not_know_stay_behind() {
        HookServer.Call call = arrived(
                message(
                        "orders",
                        "1",
                        Map.ofEntries(
                                Map.entry("Host", "internal.example"),
                                Map.entry("Content-Length", "1"),
                                Map.entry("transfer-encoding", "chunked"),
                                Map.entry("connection", "close"),
                                Map.entry("upgrade", "h2c"),
                                Map.entry("Proxy-Authorization", "Basic x"),
                                Map.entry("Authorization", "Bearer x"),
                                Map.entry("cookie", "session=x"),
                                Map.entry("webhook-id", "forged"),
                                Map.entry("Webhook-Signature", "forged"),
                                Map.entry("not a name", "x"),
                                Map.entry("x-línea", "x"),
                                Map.entry("x-injected\r\nx-more", "x"))),
                WireFormat.PLAIN);

        assertThat(call.headers().toString())
                .doesNotContain("internal.example")
                .doesNotContain("forged")
                .doesNotContain("injected");
        assertThat(call.headers())
                .doesNotContainKeys("proxy-authorization", "authorization", "cookie", "transfer-encoding", "not a name")
                .containsEntry("host", "localhost:" + server.port());
    }

    @Test
    void values_that_http_cannot_carry_are_percent_encoded() {
        HookServer.Call call = arrived(
                message("orders", "1", Map.of("x-name", "Żółć 5%", "x-lines", "one\r\nx-injected: two")),
                WireFormat.PLAIN);

        assertThat(call.header("x-name")).isEqualTo("%C5%BB%C3%B3%C5%82%C4%87%205%25");
        assertThat(call.header("x-lines")).isEqualTo("one%0D%0Ax-injected:%20two");
        assertThat(call.headers()).doesNotContainKey("x-injected");
    }

    @Test
    void a_binary_cloudevent_has_its_attributes_as_headers_encoded_as_its_binding_says() {
        HookServer.Call call =
                arrived(message("orders", "order 1", Map.of("correlation-id", "c-1")), WireFormat.CLOUDEVENTS_BINARY);

        assertThat(call.headers())
                .containsEntry("ce-specversion", "1.0")
                .containsEntry("ce-type", "OrderPlaced")
                .containsEntry("ce-partitionkey", "order%201")
                .containsEntry("ce-correlationid", "c-1")
                .containsEntry("content-type", "application/json");
        assertThat(call.text()).isEqualTo("{\"order\":1}");
    }

    @Test
    void a_structured_cloudevent_is_one_document() {
        HookServer.Call call = arrived(message("orders", "1"), WireFormat.CLOUDEVENTS_STRUCTURED);

        assertThat(call.header("content-type")).isEqualTo("application/cloudevents+json");
        assertThat(call.text()).contains("\"data\":{\"order\":1}");
    }

    private HookServer.Call arrived(Envelope message, WireFormat format) {
        server.on("/hook", answering(204));
        assertThat(publish(open(), message, format)).isEqualTo(new Outcome.Accepted());
        return server.calls().get(0);
    }

    private Webhooks open() {
        return Webhooks.builder()
                .endpoint("**", server.url("/hook"), Samples.SECRET)
                .time(clock.time())
                .headers("X-Tenant", "x-trace-*", "x-name", "x-lines", "authorization")
                .allowPrivate()
                .build();
    }

    private static Outcome publish(Webhooks webhooks, Envelope message, WireFormat format) {
        return webhooks.publisher("relay", format)
                .publish(List.of(message), Deadline.NEVER)
                .get(0);
    }
}
