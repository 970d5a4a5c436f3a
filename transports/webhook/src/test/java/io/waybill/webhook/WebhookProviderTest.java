package io.waybill.webhook;

import static io.waybill.webhook.HookServer.answering;
import static io.waybill.webhook.Samples.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import io.waybill.WaybillException;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookProviderTest {

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
    void a_url_opens_an_endpoint() throws Exception {
        server.on("/hooks/a b/orders.placed", answering(204));

        HookServer.Call call = sent(Transports.open("webhook+http://localhost:" + server.port()
                + "/hooks/a%20b/{destination}?secret=" + Samples.SECRET
                + "&allow-private=true&timeout=20s&connect-timeout=0.5s&concurrency=2&rate=10"));

        verify(Samples.SECRET, call);
    }

    @Test
    void secrets_come_from_a_file(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("secrets");
        Files.writeString(file, Samples.OTHER_SECRET + "\n" + Samples.SECRET + "\n");
        server.on("/", answering(204));

        HookServer.Call call = sent(Transports.open(
                "webhook+http://localhost:" + server.port() + "?allow-private=true&secret-file=" + file));

        verify(Samples.SECRET, call);
        verify(Samples.OTHER_SECRET, call);
    }

    @Test
    void secrets_come_from_the_environment() throws Exception {
        server.on("/", answering(204));
        var provider = new WebhookProvider(Map.of("HOOK_SECRET", Samples.SECRET)::get);

        verify(
                Samples.SECRET,
                sent(provider.open(TransportUrl.parse(
                        "webhook+http://localhost:" + server.port() + "?allow-private=true&secret-env=HOOK_SECRET"))));
        assertThatThrownBy(() -> provider.open(TransportUrl.parse("webhook+https://shop.example?secret-env=MISSING")))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("environment variable MISSING, which is not set");
    }

    @Test
    void a_file_that_cannot_be_read_gives_one_clear_line(@TempDir Path directory) throws IOException {
        assertThatThrownBy(() ->
                        Transports.open("webhook+https://shop.example?secret-file=" + directory.resolve("missing")))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("cannot be read from " + directory.resolve("missing"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "webhook+https://shop.example                      | has no secret",
                "webhook+https://shop.example?secret=hidden~       | not Base64",
                "webhook+https://me:hidden@shop.example            | names a user",
                "webhook+https://one.example,two.example           | has to name one host",
                "webhook+https:hooks                               | has to name one host",
                "webhook+https://shop.example?secert=hidden        | does not know: secert (did you mean 'secret'?)",
                "webhook+https://shop.example?timeout=soon         | timeout=soon",
                "webhook+https://shop.example?timeout=0s           | timeout (PT0S)",
                "webhook+https://shop.example?rate=0               | rate (0)",
                "webhook+https://shop.example?concurrency=many     | concurrency=many",
                "webhook+https://shop.example?allow-private=yes    | has to be true or false",
                "webhook+https://shop.example?proxy=nowhere        | host:port",
                "webhook+https://shop.example?proxy=one:99999      | has the port '99999'",
                "webhook+https://shop.example:99999                | has the port '99999'",
            })
    void a_bad_url_gives_one_line_that_shows_no_secret(String url, String problem) {
        String address = problem.contains("secret") || url.contains("sec") || url.contains("hidden@")
                ? url
                : url + (url.contains("?") ? "&" : "?") + "secret=" + Samples.SECRET;

        assertThatThrownBy(() -> Transports.open(address))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(problem)
                .hasMessageNotContaining("hidden")
                .hasMessageNotContaining(Samples.SECRET)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://shop.example:99999/hooks   | has the port '99999'. A port is a number from 1 to 65535.",
                "https://:443/hooks                 | has ':443' where a host belongs.",
            })
    void an_address_in_code_is_checked_as_a_url_is(String address, String problem) {
        assertThatThrownBy(() -> Webhooks.at(address, Samples.SECRET))
                .isInstanceOf(WaybillException.class)
                .hasMessageStartingWith("'" + address + "' " + problem);
    }

    @Test
    void what_may_be_a_password_is_not_shown_as_a_port() {
        assertThatThrownBy(() -> Webhooks.at("https://shop.example:99999999999", Samples.SECRET))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("A port is a number from 1 to 65535.")
                .hasMessageNotContaining("99999999999");
    }

    private HookServer.Call sent(Transport transport) {
        try (transport) {
            assertThat(transport
                            .publisher("relay", WireFormat.PLAIN)
                            .publish(List.of(message("orders.placed", "1")), Deadline.NEVER))
                    .containsExactly(new Outcome.Accepted());
        }
        return server.calls().get(0);
    }

    private static void verify(String secret, HookServer.Call call) throws Exception {
        new Webhook(secret)
                .verify(
                        call.text(),
                        call.headers().entrySet().stream()
                                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue()))));
    }
}
