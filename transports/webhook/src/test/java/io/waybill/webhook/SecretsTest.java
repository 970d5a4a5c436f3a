package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.waybill.WaybillException;
import io.waybill.transport.Deadline;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Signatures, judged by the library that receivers use. */
class SecretsTest {

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
    void the_vector_of_standard_webhooks_comes_out() {
        assertThat(Secrets.of("here", List.of(Samples.SECRET))
                        .sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, "{\"test\": 2432232314}".getBytes(UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void a_receiver_verifies_what_arrived() throws Exception {
        HookServer.Call call = send(Samples.SECRET);

        new Webhook(Samples.SECRET).verify(call.text(), headersOf(call));
        assertThatThrownBy(() -> new Webhook(Samples.SECRET).verify(call.text() + " ", headersOf(call)))
                .isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> new Webhook(Samples.OTHER_SECRET).verify(call.text(), headersOf(call)))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void while_secrets_are_changed_receivers_with_the_old_and_with_the_new_one_verify() throws Exception {
        HookServer.Call call = send(Samples.OTHER_SECRET, Samples.SECRET);

        assertThat(call.header("webhook-signature").split(" ", -1)).hasSize(2);
        new Webhook(Samples.SECRET).verify(call.text(), headersOf(call));
        new Webhook(Samples.OTHER_SECRET).verify(call.text(), headersOf(call));
    }

    @Test
    void a_secret_that_is_none_is_refused_and_never_shown() {
        assertThatThrownBy(() -> Webhooks.at("https://shop.example/hooks"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("https://shop.example/hooks has no secret")
                .hasMessageContaining("openssl rand");
        assertThatThrownBy(() -> Webhooks.at("https://shop.example/hooks", "whsec_c2hvcnQ="))
                .hasMessageContaining("5 bytes")
                .hasMessageNotContaining("c2hvcnQ");
        assertThatThrownBy(() -> Webhooks.at("https://shop.example/hooks", "my~secret"))
                .hasMessageContaining("not Base64")
                .hasMessageNotContaining("my~secret")
                .hasNoCause();
    }

    private HookServer.Call send(String... secrets) {
        String address = server.on("/hook", HookServer.answering(204));
        try (var webhooks = Webhooks.builder()
                .endpoint("**", address, secrets)
                .allowPrivate()
                .build()) {
            webhooks.publisher("relay", WireFormat.PLAIN)
                    .publish(List.of(Samples.message("orders", "1")), Deadline.NEVER);
        }
        return server.calls().get(0);
    }

    private static Map<String, List<String>> headersOf(HookServer.Call call) {
        return call.headers().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
    }
}
