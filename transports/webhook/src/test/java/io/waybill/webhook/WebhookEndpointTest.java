package io.waybill.webhook;

import static io.waybill.webhook.HookServer.answering;
import static io.waybill.webhook.Samples.message;
import static io.waybill.webhook.Samples.unordered;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.waybill.message.Envelope;
import io.waybill.testkit.ManualClock;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an endpoint answers, or does not, and what follows from it. */
class WebhookEndpointTest {

    private final ManualClock clock = ManualClock.at(Instant.parse("2026-11-15T12:00:00Z"));
    private final CountDownLatch testIsOver = new CountDownLatch(1);
    private HookServer server;

    @BeforeEach
    void start() {
        server = HookServer.start();
    }

    @AfterEach
    void stop() {
        testIsOver.countDown();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "200, Accepted",
        "201, Accepted",
        "202, Accepted",
        "204, Accepted",
        "301, Misconfigured",
        "302, Misconfigured",
        "304, Misconfigured",
        "307, Misconfigured",
        "308, Misconfigured",
        "400, Refused",
        "409, Refused",
        "413, Refused",
        "415, Refused",
        "422, Refused",
        "431, Refused",
        "401, Misconfigured",
        "403, Misconfigured",
        "404, Misconfigured",
        "405, Misconfigured",
        "410, Misconfigured",
        "408, Unavailable",
        "425, Unavailable",
        "429, Unavailable",
        "500, Inconclusive",
        "501, Inconclusive",
        "502, Unavailable",
        "503, Unavailable",
        "504, Unavailable",
        "599, Inconclusive",
    })
    void every_status_has_an_outcome(int status, String outcome) {
        Outcome answered = publish(open(answering(status)), message("orders", "1"));

        assertThat(answered.getClass().getSimpleName()).isEqualTo(outcome);
        if (!outcome.equals("Accepted")) {
            assertThat(reason(answered)).contains(server.url("/hook")).contains(Integer.toString(status));
        }
    }

    @Test
    void what_the_endpoint_says_is_in_the_reason_on_one_line() {
        Webhooks webhooks = open(answering(422, "no\r\nsuch \u001b[31mcustomer".getBytes(UTF_8)));

        assertThat(reason(publish(webhooks, message("orders", "1"))))
                .endsWith("/hook responded 422: no such [31mcustomer");
    }

    @Test
    void a_query_is_sent_and_never_shown() {
        server.on("/hook", answering(401));
        Webhooks webhooks = Webhooks.builder()
                .endpoint("**", server.url("/hook?token=hidden"), Samples.SECRET)
                .allowPrivate()
                .build();

        assertThat(reason(publish(webhooks, message("orders", "1")))).doesNotContain("hidden");
        assertThat(server.calls("/hook")).hasSize(1);
    }

    @Test
    void a_redirect_is_not_followed_and_its_host_is_named() {
        String elsewhere = server.on("/elsewhere", answering(204));
        Webhooks webhooks = open(answering(307, "location", elsewhere + "?token=hidden"));

        assertThat(reason(publish(webhooks, message("orders", "1"))))
                .contains("a redirect to localhost.")
                .doesNotContain("hidden");
        assertThat(server.calls("/elsewhere")).isEmpty();
    }

    @Test
    void an_endpoint_that_is_gone_is_disabled_until_somebody_enables_it() {
        Webhooks webhooks = open(answering(410));
        publish(webhooks, message("orders", "1"));
        server.on("/hook", answering(204));

        assertThat(publish(webhooks, message("orders", "1"))).isInstanceOf(Outcome.Misconfigured.class);
        clock.advance(Duration.ofDays(30));
        assertThat(reason(publish(webhooks, message("orders", "1")))).contains("410 Gone and is disabled");
        assertThat(server.calls()).hasSize(1);

        webhooks.enable("orders");
        assertThat(publish(webhooks, message("orders", "1"))).isEqualTo(new Outcome.Accepted());
    }

    @ParameterizedTest
    @CsvSource({"429, 30", "503, 30", "429, 'Sun, 15 Nov 2026 12:00:30 GMT'", "503, 'Sun, 15 Nov 2026 12:00:30 GMT'"})
    void an_endpoint_that_says_when_to_come_again_is_left_alone_until_then(int status, String retryAfter) {
        Webhooks webhooks = open(answering(status, "retry-after", retryAfter));
        publish(webhooks, message("orders", "1"));
        server.on("/hook", answering(204));

        clock.advance(Duration.ofMillis(29_999));
        assertThat(reason(publish(webhooks, message("orders", "1")))).contains("left alone for 30 s");
        assertThat(server.calls()).hasSize(1);

        clock.advance(Duration.ofMillis(1));
        assertThat(publish(webhooks, message("orders", "1"))).isEqualTo(new Outcome.Accepted());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "soon", "Sun, 15 Nov 2026 11:00:00 GMT", "99999999999999999999", "0"})
    void a_time_to_come_again_that_makes_no_sense_is_passed_over(String retryAfter) {
        Webhooks webhooks = open(answering(503, "retry-after", retryAfter));
        publish(webhooks, message("orders", "1"));
        server.on("/hook", answering(204));

        assertThat(publish(webhooks, message("orders", "1"))).isEqualTo(new Outcome.Accepted());
    }

    @Test
    void nobody_can_put_an_endpoint_to_sleep_for_more_than_a_day() {
        Webhooks webhooks = open(answering(503, "retry-after", "999999999"));
        publish(webhooks, message("orders", "1"));
        server.on("/hook", answering(204));

        clock.advance(Duration.ofHours(24));
        assertThat(publish(webhooks, message("orders", "1"))).isEqualTo(new Outcome.Accepted());
    }

    @Test
    void an_endpoint_that_is_down_is_asked_once_and_not_with_the_whole_batch() {
        Webhooks webhooks = open(answering(503), builder -> builder.concurrency(1));

        assertThat(publish(webhooks, unordered("orders", 50)))
                .allMatch(outcome -> outcome instanceof Outcome.Unavailable);
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void an_endpoint_that_fails_on_a_message_is_asked_no_more_and_the_others_are_not_blamed() {
        Webhooks webhooks = open(answering(500), builder -> builder.concurrency(1));

        List<Outcome> outcomes = publish(webhooks, unordered("orders", 50));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Inconclusive.class);
        assertThat(outcomes.subList(1, 50)).containsOnly(new Outcome.NotAttempted());
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void one_endpoint_that_is_down_stops_no_other() {
        server.on("/orders", answering(503));
        server.on("/bills", answering(204));
        Webhooks webhooks = Webhooks.builder()
                .endpoint("**", server.url("/{destination}"), Samples.SECRET)
                .allowPrivate()
                .build();

        List<Outcome> outcomes =
                publish(webhooks, List.of(message("orders", "1"), message("bills", "1"), message("bills", "1")));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(outcomes.subList(1, 3)).containsOnly(new Outcome.Accepted());
    }

    @Test
    void a_destination_that_would_leave_the_path_of_its_endpoint_is_refused() {
        Webhooks webhooks = Webhooks.builder()
                .endpoint("**", server.url("/hooks/{destination}"), Samples.SECRET)
                .allowPrivate()
                .build();
        server.on("/hooks/orders", answering(204));

        List<Outcome> outcomes = publish(
                webhooks, List.of(message("..", "1"), message("..", "1"), message(".", "1"), message("orders", "1")));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.NotAttempted.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Refused.class);
        assertThat(outcomes.get(3)).isInstanceOf(Outcome.Accepted.class);
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void a_destination_without_an_endpoint_is_a_misconfiguration() {
        Webhooks webhooks = Webhooks.builder()
                .endpoint("orders.*", "https://shop.example", Samples.SECRET)
                .build();

        assertThat(reason(publish(webhooks, message("bills", "1")))).contains("No webhook endpoint is for 'bills'");
    }

    @Test
    void the_first_pattern_that_matches_is_taken() {
        server.on("/special", answering(204));
        server.on("/all/orders new", answering(204));
        Webhooks webhooks = Webhooks.builder()
                .endpoint("orders.special", server.url("/special"), Samples.SECRET)
                .endpoint("**", server.url("/all/{destination}"), Samples.SECRET)
                .allowPrivate()
                .build();

        publish(webhooks, List.of(message("orders.special", "1"), message("orders new", "1")));

        assertThat(server.calls())
                .extracting(HookServer.Call::path)
                .containsExactlyInAnyOrder("/special", "/all/orders new");
    }

    @Test
    void an_endpoint_that_does_not_answer_is_unavailable() {
        Webhooks webhooks = open(this::hang, builder -> builder.timeout(Duration.ofMillis(200)));

        assertThat(reason(publish(webhooks, message("orders", "1")))).endsWith("did not respond within 200 ms.");
    }

    @Test
    void an_endpoint_that_takes_no_connection_in_time_is_unavailable() throws IOException {
        var sockets = new ArrayList<Socket>();
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // A backlog that is full: the next connection waits for a place in it.
            for (int i = 0; i < 4; i++) {
                var socket = new Socket();
                sockets.add(socket);
                try {
                    socket.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()), 50);
                } catch (IOException e) {
                    break;
                }
            }
            Webhooks webhooks = Webhooks.builder()
                    .endpoint("**", "http://localhost:" + full.getLocalPort(), Samples.SECRET)
                    .connectTimeout(Duration.ofMillis(200))
                    .allowPrivate()
                    .build();

            assertThat(reason(publish(webhooks, message("orders", "1"))))
                    .endsWith("cannot be connected to within 200 ms.");
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void an_endpoint_without_a_server_or_without_a_name_is_unavailable() {
        int port = server.port();
        server.close();
        Webhooks nobody = Webhooks.builder()
                .endpoint("closed", "http://localhost:" + port, Samples.SECRET)
                .endpoint("nameless", "http://no-such-name.invalid", Samples.SECRET)
                .allowPrivate()
                .build();

        assertThat(reason(publish(nobody, message("closed", "1")))).endsWith("takes no connections.");
        assertThat(reason(publish(nobody, message("nameless", "1")))).endsWith("has a name that cannot be resolved.");
    }

    @Test
    void an_answer_without_end_is_cut_off_and_still_counts() {
        var cutOff = new CountDownLatch(1);
        Webhooks webhooks = open(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] much = new byte[8192];
            Arrays.fill(much, (byte) 'x');
            try {
                while (true) {
                    exchange.getResponseBody().write(much);
                }
            } catch (IOException e) {
                cutOff.countDown();
            }
        });

        assertThat(publish(webhooks, message("orders", "1"))).isEqualTo(new Outcome.Accepted());
        await().until(() -> cutOff.getCount() == 0);
    }

    @Test
    void an_answer_whose_body_never_comes_counts_by_its_status() {
        Webhooks webhooks = open(exchange -> {
            exchange.sendResponseHeaders(500, 0);
            exchange.getResponseBody().write("first words".getBytes(UTF_8));
            exchange.getResponseBody().flush();
            hang(exchange);
        });

        assertThat(reason(publish(webhooks, message("orders", "1")))).endsWith("responded 500: first words");
    }

    @Test
    void an_answer_that_breaks_off_counts_by_its_status() {
        Webhooks webhooks = open(exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write("first words".getBytes(UTF_8));
            exchange.getResponseBody().flush();
            exchange.close();
        });

        assertThat(publish(webhooks, message("orders", "1"))).isEqualTo(new Outcome.Accepted());
    }

    private void hang(HttpExchange exchange) {
        try {
            testIsOver.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    private Webhooks open(HttpHandler handler) {
        return open(handler, builder -> builder);
    }

    private Webhooks open(HttpHandler handler, UnaryOperator<Webhooks.Builder> settings) {
        String address = server.on("/hook", handler);
        return settings.apply(Webhooks.builder()
                        .endpoint("**", address, Samples.SECRET)
                        .time(clock.time())
                        .allowPrivate())
                .build();
    }

    private static Outcome publish(Webhooks webhooks, Envelope message) {
        return publish(webhooks, List.of(message)).get(0);
    }

    private static List<Outcome> publish(Webhooks webhooks, List<Envelope> batch) {
        return webhooks.publisher("relay", WireFormat.PLAIN).publish(batch, Deadline.NEVER);
    }

    private static String reason(Outcome outcome) {
        return outcome.fold(
                () -> "accepted",
                Outcome.Refused::reason,
                Outcome.Unavailable::reason,
                Outcome.Inconclusive::reason,
                Outcome.Misconfigured::reason,
                () -> "not attempted");
    }
}
