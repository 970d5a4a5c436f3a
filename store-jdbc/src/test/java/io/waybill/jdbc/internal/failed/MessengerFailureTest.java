package io.waybill.jdbc.internal.failed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.jdbc.Symfony;
import io.waybill.jdbc.ops.MessengerHeaders;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.Failure;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessengerFailureTest {

    private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    @Test
    void what_failed_in_php_is_understood() {
        String headers = """
                {"type":"App\\\\OrderPlaced","Content-Type":"application\\/json",
                 "X-Message-Stamp-Acme\\\\MessageNameStamp":"[{\\"messageName\\":\\"order.placed\\"}]",
                 "X-Message-Stamp-Acme\\\\MessageIdStamp":"[{\\"messageId\\":\\"018f0000-0000-7000-8000-000000000001\\"}]",
                 "X-Message-Stamp-Symfony\\\\Component\\\\Messenger\\\\Stamp\\\\SentToFailureTransportStamp":
                   "[{\\"originalReceiverName\\":\\"amqp_orders\\"}]",
                 "X-Message-Stamp-Symfony\\\\Component\\\\Messenger\\\\Stamp\\\\ErrorDetailsStamp":
                   "[{\\"exceptionClass\\":\\"A\\",\\"exceptionMessage\\":\\"first\\"},{\\"exceptionClass\\":\\"B\\",\\"exceptionMessage\\":\\"no \\\\\\"ink\\\\\\"\\"}]",
                 "X-Message-Stamp-Symfony\\\\Component\\\\Messenger\\\\Stamp\\\\RedeliveryStamp":
                   "[{\\"retryCount\\":1},{\\"retryCount\\":3}]"}
                """;

        FailedMessage read = MessengerFailure.read(7, "{\"n\":1}", headers, NOW);

        assertThat(read.message().type()).isEqualTo("order.placed");
        assertThat(read.message().id()).isEqualTo(UUID.fromString("018f0000-0000-7000-8000-000000000001"));
        assertThat(read.source()).isEqualTo("amqp_orders");
        assertThat(read.cause().kind()).isEqualTo("B");
        assertThat(read.cause().error()).isEqualTo("no \"ink\"");
        assertThat(read.cause().fingerprint()).matches("[0-9a-f]{16}");
        assertThat(read.attempts()).isEqualTo(4);
        assertThat(read.firstFailedAt()).isEqualTo(NOW);
        assertThat(read.message().headers()).containsEntry("content-type", "application/json");
    }

    @Test
    void a_row_of_symfonys_json_serializer_is_understood() {
        FailedMessage read =
                MessengerFailure.read(7, Symfony.recorded("json.body"), Symfony.recorded("json.headers"), NOW);

        assertUnderstood(read);
        assertThat(read.message().headers()).containsEntry("type", "App\\Message\\OrderPlaced");
    }

    @ParameterizedTest
    @ValueSource(strings = {"php.body", "binary.body"})
    void a_row_of_symfonys_php_serializer_is_understood(String body) {
        FailedMessage read = MessengerFailure.read(7, Symfony.recorded(body), Symfony.recorded("php.headers"), NOW);

        assertUnderstood(read);
        assertThat(read.message().payload().asText()).isEqualTo(Symfony.recorded(body));
    }

    private static void assertUnderstood(FailedMessage read) {
        assertThat(read.message().type()).isEqualTo("App\\Message\\OrderPlaced");
        assertThat(read.source()).isEqualTo("async");
        assertThat(read.handler()).isEmpty();
        assertThat(read.cause().kind()).isEqualTo("RuntimeException");
        assertThat(read.cause().error()).isEqualTo("no \"ink\" in the printer: żółć C:\\temp");
        assertThat(read.attempts()).isEqualTo(4);
    }

    @Test
    void a_stamp_of_any_size_is_read() {
        var trace = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            trace.append("\\\\\\\"#").append(i);
        }
        String headers = "{\"type\":\"A\",\"X-Message-Stamp-Acme\\\\MessageNameStamp\":\"[{\\\"trace\\\":[\\\"" + trace
                + "\\\"],\\\"messageName\\\":\\\"order.placed\\\"}]\"}";

        assertThat(MessengerHeaders.read(headers).name()).isEqualTo("order.placed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "O:36:\\\"Symfony",
                "O:999999999999:\\\"x\\\"",
                "O:-1:\\\"x\\\":1:{",
                "Tzoxxxx%%%",
                "O:36:\\\"Symfony\\\\Component\\\\Messenger\\\\Envelope\\\":1:{i:0;N;}",
                ""
            })
    void a_body_that_is_broken_is_shown_without_what_cannot_be_read(String body) {
        assertThat(MessengerFailure.read(7, body, "[]", NOW).message().payload().asText())
                .isEqualTo(body);
    }

    @Test
    void arrays_of_php_that_are_nested_endlessly_are_refused() {
        assertThatThrownBy(() -> PhpSerialized.read("a:1:{i:0;".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nested");
    }

    @Test
    void what_we_write_we_read_bytes_included() {
        var message = new Envelope(
                UUID.randomUUID(),
                Category.COMMAND,
                "Print",
                "orders",
                "k",
                "p",
                Payload.binary(new byte[] {0, 1, (byte) 0xff}),
                Map.of("channel", "web"));
        var cause = new Failure.Cause("IllegalStateException", "no \"ink\"\n", "at Printer", "00ff00ff00ff00ff");
        var failed = new FailedMessage(7, "billing", message, 4, cause, NOW.minusSeconds(60), NOW);

        assertThat(MessengerFailure.read(
                        7, MessengerFailure.body(message.payload()), MessengerFailure.headers(failed), NOW))
                .isEqualTo(failed);
    }
}
