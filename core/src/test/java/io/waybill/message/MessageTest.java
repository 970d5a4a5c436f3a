package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MessageTest {

    private static final UUID ID = UUID.randomUUID();
    private final Message order = Message.event("OrderPlaced", "{}").to("orders");

    @Test
    void a_message_says_everything_about_itself() {
        var sealed = order.inOrderOf(42L).key("k").header("a", "b").seal(() -> ID);

        assertThat(sealed.id()).isEqualTo(ID);
        assertThat(sealed.partitionKey()).isEqualTo("42");
        assertThat(sealed.isOrdered()).isTrue();
        assertThat(sealed.key()).isEqualTo("k");
        assertThat(sealed.headers()).containsEntry("a", "b");
    }

    @Test
    void changing_a_message_leaves_the_first_one_alone() {
        order.inOrderOf("key").header("a", "b");

        var sealed = order.seal(() -> ID);
        assertThat(sealed.partitionKey()).isEmpty();
        assertThat(sealed.headers()).isEmpty();
    }

    @Test
    void a_message_without_a_destination_says_how_to_give_one() {
        refused(() -> Message.event("OrderPlaced", "{}").seal(() -> ID), "'OrderPlaced'", "message.to(");
        refused(() -> order.to("  "), "destination is empty");
    }

    @Test
    @SuppressWarnings("NullAway")
    void null_is_refused_by_name() {
        refused(() -> order.inOrderOf(null), "partition key is null", "leave the call out");
        refused(() -> order.to(null), "destination is null");
        refused(() -> order.key(null), "message key is null");
        refused(() -> order.header("a", null), "header 'a' is null");
        refused(() -> Message.event("OrderPlaced", null), "payload of 'OrderPlaced' is null");
        refused(() -> Message.event(null, "{}"), "message type is null");
    }

    @Test
    void a_key_that_is_too_long_is_refused_with_its_length() {
        refused(() -> order.inOrderOf("x".repeat(256)), "256 characters", "at most 255", "xxx...");
        assertThat(order.inOrderOf("x".repeat(255)).partitionKey()).hasSize(255);
    }

    @Test
    void a_key_must_be_an_identifier() {
        refused(() -> order.inOrderOf(new Object()), "java.lang.Object", "the id of the thing");
        refused(() -> order.inOrderOf(""), "partition key is empty");
    }

    @Test
    void what_a_database_cannot_keep_is_refused() {
        refused(() -> order.inOrderOf("a\0b"), "U+0000", "position 1");
        refused(() -> Message.event("T", "a\0b").as("text/plain").to("d").seal(() -> ID), "U+0000");
    }

    @Test
    void a_payload_must_be_what_its_content_type_says() {
        refused(() -> sealed("{\"a\":}"), "application/json", "not JSON", "unexpected '}' at position 5", "text/plain");
        refused(() -> sealed("hello"), "not JSON");
        refused(
                () -> Message.event("T", new byte[] {(byte) 0xff})
                        .as("text/plain")
                        .to("d")
                        .seal(() -> ID),
                "not UTF-8");
        refused(() -> order.as("nonsense").seal(() -> ID), "'nonsense' is not a content type");
        assertThat(Message.event("T", "hello")
                        .as("text/plain")
                        .to("d")
                        .seal(() -> ID)
                        .payload()
                        .asText())
                .isEqualTo("hello");
    }

    @Test
    void bytes_that_are_declared_as_json_become_text() {
        byte[] json = "{\"a\":\"ż\"}".getBytes(StandardCharsets.UTF_8);

        var payload = Message.event("T", json)
                .as("application/json")
                .to("d")
                .seal(() -> ID)
                .payload();

        assertThat(payload).isEqualTo(Payload.text("{\"a\":\"ż\"}"));
    }

    @Test
    void an_object_without_a_codec_is_refused_and_told_what_to_add() {
        refused(
                () -> Message.event("T", 42).to("d").seal(() -> ID),
                "java.lang.Integer",
                "io.waybill:waybill-jackson",
                "JSON as a String");
    }

    @Test
    void an_object_is_written_by_the_codec_that_is_given() {
        var sealed = Message.event("T", 42).to("d").seal(() -> ID, new ToText());

        assertThat(sealed.payload()).isEqualTo(Payload.text("42"));
    }

    @Test
    void a_payload_may_say_itself_what_its_messages_are_called() {
        assertThat(Message.event(new Moved())
                        .to("d")
                        .seal(() -> ID, new ToText())
                        .type())
                .isEqualTo("CustomerMoved");
        refused(
                () -> Message.event(42),
                "java.lang.Integer does not say",
                "@MessageType(\"Integer\")",
                "Message.event(");
    }

    @Test
    void a_delay_cannot_be_negative() {
        refused(() -> order.after(Duration.ofSeconds(-1)), "PT-1S");
    }

    @MessageType("CustomerMoved")
    private static final class Moved {
        @Override
        public String toString() {
            return "{}";
        }
    }

    private static final class ToText implements PayloadCodec {
        @Override
        public Payload encode(Object value) {
            return Payload.text(value.toString());
        }

        @Override
        public <T> T decode(Payload payload, Class<T> type) {
            return type.cast(payload.asText());
        }
    }

    private static void sealed(String payload) {
        Message.event("T", payload).to("d").seal(() -> ID);
    }

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(WaybillException.class).hasMessageContainingAll(words);
    }
}
