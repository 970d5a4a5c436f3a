package io.waybill.console.security;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Payload;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadMaskTest {

    private static final PayloadMask USUAL = PayloadMask.of(PayloadMask.DEFAULT_RULES);
    private static final PayloadMask EVERYTHING = PayloadMask.of(List.of("*"));
    private static final String SECRET = "{\"password\":\"secret\"}";

    @Test
    void json_is_masked_behind_a_byte_order_mark_too() {
        assertThat(USUAL.text(SECRET)).isEqualTo("{\"password\":\"***\"}");
        assertThat(USUAL.text("\uFEFF \n\u00A0" + SECRET)).isEqualTo("{\"password\":\"***\"}");
        assertThat(USUAL.text("{\"number\":1.50}")).isEqualTo("{\"number\":1.50}");
        assertThat(USUAL.text("plain")).isEqualTo("plain");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\":\"sec\tret\"}",
                "{\"a\":1}\n{\"password\":\"secret\"}",
                "{\"password\":\"secret\"",
                "{\"a\":{\"password\":\"secret\"},\"a\":1}",
            })
    void text_that_begins_like_json_and_cannot_be_read_is_not_shown(String text) {
        assertThat(USUAL.text(text)).isEqualTo(PayloadMask.NOT_READABLE);
        assertThat(PayloadMask.NONE.text(text)).isEqualTo(text);
    }

    @Test
    void json_that_is_too_deep_is_not_shown() {
        String deep = "[".repeat(5_000) + SECRET + "]".repeat(5_000);

        assertThat(USUAL.text(deep)).isEqualTo(PayloadMask.NOT_READABLE);
    }

    @Test
    void a_binary_payload_is_hidden_where_every_payload_is_and_its_json_is_masked() {
        Payload image = Payload.binary(new byte[] {(byte) 0x89, 'P', 'N', 'G'});

        assertThat(EVERYTHING.payload(image)).isEqualTo("***");
        assertThat(EVERYTHING.payload(Payload.text(SECRET))).isEqualTo("***");
        assertThat(USUAL.payload(image)).isEqualTo(Base64.getEncoder().encodeToString(image.asBytes()));
        assertThat(decoded(USUAL.payload(Payload.binary(SECRET.getBytes(UTF_8)))))
                .isEqualTo("{\"password\":\"***\"}");
        assertThat(decoded(USUAL.payload(Payload.binary(SECRET.getBytes(UTF_16BE)))))
                .isEqualTo(PayloadMask.NOT_READABLE);
        assertThat(decoded(PayloadMask.NONE.payload(Payload.binary(SECRET.getBytes(UTF_8)))))
                .isEqualTo(SECRET);
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), UTF_8);
    }
}
