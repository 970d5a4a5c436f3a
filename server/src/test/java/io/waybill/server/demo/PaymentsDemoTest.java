package io.waybill.server.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.WaybillProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a process: keys on its standard input, the console's API on its port. */
class PaymentsDemoTest {

    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
    private static final Pattern GROUP = Pattern.compile("\"id\":\"([0-9a-f]+)\",\"error\":\"([^\"]*)\"");
    private static final Pattern PROCESS = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    PaymentsDemoTest() {}

    @Test
    void what_the_keys_break_is_seen_in_the_console_and_retried_there_once_it_is_healed() throws Exception {
        try (var demo = start("--port", "0", "--seconds", "60")) {
            String api = address(demo) + "api/databases/demo/";

            type(demo, "d", "b");
            Eventually.is(() -> assertThat(found(GROUP, get(api, "failures"))).isNotEmpty());
            type(demo, "f");
            Eventually.is(() -> assertThat(blocked(api)).isNotEmpty());
            assertThat(get(api, "failures")).contains("the ledger rejects postings");
            assertThat(get(api, "processes?status=FAILED&limit=1")).contains("PaymentRefusedException");
            assertThat(waitingNotifications(api)).isNotEmpty();

            type(demo, "p", "h");
            Eventually.is(() -> {
                // One that was tried for the last time when the ledger healed is retried in the next round.
                for (MatchResult group : found(GROUP, get(api, "failures"))) {
                    post(
                            api,
                            "failures/retry",
                            "{\"filter\":{\"group\":\"" + group.group(1) + "\"},\"reason\":\"the ledger is open\"}");
                }
                for (String process : blocked(api)) {
                    post(api, "processes/" + process + "/retry", "{\"reason\":\"the ledger is open\"}");
                }
                assertThat(found(GROUP, get(api, "failures"))).isEmpty();
                assertThat(blocked(api)).isEmpty();
                assertThat(waitingNotifications(api)).isEmpty();
            });

            type(demo, "q");
            Cli ended = demo.ended();
            assertThat(ended.exitCode()).isZero();
            assertThat(ended.out())
                    .contains("The demo has ended.", " 0 blocked, ", " 0 failed, ")
                    .doesNotContain("could not");
        }
    }

    @Test
    void without_a_terminal_it_ends_after_its_seconds_with_what_it_has_done() throws Exception {
        try (var demo = start("--port", "0", "--seconds", "2")) {
            demo.process().getOutputStream().close();

            Cli ended = demo.ended();

            assertThat(ended.exitCode()).isZero();
            assertThat(ended.out()).containsPattern("The demo has ended\\. payments: [1-9]\\d* completed");
            assertThat(ended.err()).isEmpty();
        }
    }

    @Test
    void a_wrong_key_is_refused_and_changes_nothing() throws Exception {
        try (var demo = start("--port", "0", "--quiet")) {
            type(demo, "x", "hello", "", "q");

            assertThat(demo.ended().out())
                    .contains("There is no key 'x'. Keys are f, b, d, h, p, q", "There is no key 'hello'")
                    .doesNotContain("works again", "No new payments");
        }
    }

    @Test
    void a_port_that_is_taken_is_named_if_it_was_asked_for() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var demo = start("--port", String.valueOf(taken.getLocalPort()))) {
            Cli ended = demo.ended();

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err()).contains("Could not listen on", String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void a_signal_ends_it_within_seconds() throws Exception {
        try (var demo = start("--port", "0", "--quiet")) {
            address(demo);
            demo.process().destroy();

            assertThat(demo.process().waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(demo.out(), UTF_8)).contains("The demo has ended.");
        }
    }

    private WaybillProcess start(String... options) throws IOException {
        var arguments = new ArrayList<>(List.of("demo"));
        arguments.addAll(List.of(options));
        return WaybillProcess.start(directory, "demo", List.of("-Xmx256m"), arguments.toArray(String[]::new));
    }

    private static void type(WaybillProcess demo, String... lines) throws IOException {
        var input = demo.process().getOutputStream();
        input.write((String.join("\n", lines) + "\n").getBytes(UTF_8));
        input.flush();
    }

    private static String address(WaybillProcess demo) {
        var found = new String[1];
        Eventually.is(() -> {
            String out = Files.readString(demo.out(), UTF_8);
            var address = ADDRESS.matcher(out);
            assertThat(address.find()).as(out + demo.log()).isTrue();
            found[0] = address.group();
        });
        return found[0];
    }

    private List<String> blocked(String api) throws Exception {
        return found(PROCESS, get(api, "processes?status=FAILED")).stream()
                .map(process -> process.group(1))
                .toList();
    }

    private List<MatchResult> waitingNotifications(String api) throws Exception {
        return found(PROCESS, get(api, "messages?status=pending&destination=notifications.email"));
    }

    private static List<MatchResult> found(Pattern pattern, String json) {
        return pattern.matcher(json).results().toList();
    }

    private String get(String api, String path) throws Exception {
        return body(HttpRequest.newBuilder(URI.create(api + path)).build());
    }

    private void post(String api, String path, String json) throws Exception {
        body(HttpRequest.newBuilder(URI.create(api + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build());
    }

    /** 409 is one that somebody, or the next attempt, was faster with. */
    private String body(HttpRequest request) throws Exception {
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(request + " " + response.body()).isIn(200, 409);
        return response.body();
    }
}
