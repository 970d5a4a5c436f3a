package io.waybill.transport.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.transport.Delivery;
import io.waybill.transport.WireReader;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WireFormatTest {

    private static final UUID ID = UUID.fromString("0199f5a0-0000-7000-8000-000000000001");

    @ParameterizedTest
    @EnumSource
    void what_is_written_is_read_back(WireFormat format) {
        for (Payload payload : new Payload[] {
            Payload.text("{\"a\":[1,2]}"), Payload.text("\"a string\""), Payload.binary(new byte[] {0, -1})
        }) {
            Envelope given = message(payload, Map.of("x-tenant", "acme", "traceparent", "00-1-2-01"));

            Envelope read = read(format.write(given, "ce_"));

            assertThat(read.id()).isEqualTo(ID);
            assertThat(read.category()).isEqualTo(Category.COMMAND);
            assertThat(read.type()).isEqualTo("PlaceOrder");
            assertThat(read.payload()).isEqualTo(payload);
            assertThat(read.headers()).containsEntry("x-tenant", "acme").containsEntry("traceparent", "00-1-2-01");
        }
    }

    @ParameterizedTest
    @EnumSource
    void text_that_is_not_json_stays_text(WireFormat format) {
        Envelope given = message(Payload.text("not {json"), Map.of("content-type", "text/plain"));

        assertThat(read(format.write(given, "ce-")).payload()).isEqualTo(Payload.text("not {json"));
    }

    @Test
    void a_structured_event_is_one_document() {
        WireMessage wire = WireFormat.CLOUDEVENTS_STRUCTURED.write(message(Payload.text("{\"n\":1}"), Map.of()), "ce_");

        assertThat(new String(wire.body(), UTF_8))
                .startsWith(
                        "{\"specversion\":\"1.0\",\"id\":\"" + ID + "\",\"source\":\"waybill\",\"type\":\"PlaceOrder\"")
                .contains("\"partitionkey\":\"order-1\"")
                .endsWith("\"datacontenttype\":\"application/json\",\"data\":{\"n\":1}}");
        assertThat(wire.headers()).containsOnlyKeys("content-type");
    }

    @Test
    void a_binary_event_has_its_attributes_as_headers() {
        assertThat(WireFormat.CLOUDEVENTS_BINARY
                        .write(message(Payload.text("{}"), Map.of("correlation-id", "c-1")), "ce_")
                        .headers())
                .containsEntry("ce_id", ID.toString())
                .containsEntry("ce_type", "PlaceOrder")
                .containsEntry("ce_correlationid", "c-1")
                .containsEntry("ce_partitionkey", "order-1")
                .containsEntry("content-type", "application/json")
                .doesNotContainKey("correlation-id");
    }

    @Test
    void a_foreign_id_is_the_same_each_time_and_a_missing_one_comes_from_the_position() {
        var named = new WireMessage(Map.of("message-id", "42"), new byte[0]);
        var nameless = new WireMessage(Map.of(), new byte[0]);

        assertThat(read(named).id()).isEqualTo(read(named).id());
        assertThat(read(nameless).id())
                .isEqualTo(read(nameless).id())
                .isNotEqualTo(read(named).id());
    }

    @Test
    void different_messages_have_different_ids() {
        assertThat(List.of(
                        read(new WireMessage(Map.of("message-id", "1-1-1-1-1"), new byte[0])),
                        read(new WireMessage(Map.of("message-id", "100000001-1-1-1-1"), new byte[0])),
                        read(event("/billing", "1")),
                        read(event("/shipping", "1")),
                        WireReader.unread(new Delivery("orders", "k", "3", event("/billing", "2"))),
                        WireReader.unread(new Delivery("orders", "k", "3", event("/shipping", "2"))),
                        WireReader.read(new Delivery("a", "", "", event("b/c", "1"))),
                        WireReader.read(new Delivery("a/b", "", "", event("c", "1"))),
                        read(new WireMessage(Map.of(), new byte[] {1})),
                        read(new WireMessage(Map.of(), new byte[] {2}))))
                .extracting(Envelope::id)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void an_event_keeps_its_id_and_its_source(WireFormat format) {
        Envelope read = read(format.write(message(Payload.text("{}"), Map.of("source", "/billing")), "ce_"));

        assertThat(read.id()).isEqualTo(ID);
        assertThat(read.headers()).containsEntry("source", "/billing");
    }

    private static WireMessage event(String source, String id) {
        return new WireMessage(Map.of("ce_source", source, "ce_id", id), new byte[0]);
    }

    @Test
    void of_an_event_its_own_id_counts_and_not_the_one_its_protocol_has_besides() {
        var event = new WireMessage(Map.of("ce_id", ID.toString(), "message-id", "42"), new byte[0]);

        assertThat(read(event).id()).isEqualTo(ID);
        assertThat(read(event).headers()).doesNotContainKey("message-id");
    }

    @Test
    void a_body_that_is_not_what_it_says_is_refused() {
        assertThatThrownBy(() -> read(new WireMessage(Map.of("content-type", "application/json"), new byte[] {'{'})))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("not JSON");
        assertThatThrownBy(() ->
                        read(new WireMessage(Map.of("content-type", "application/cloudevents+json"), new byte[] {'['})))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("from orders at 3");
    }

    private static Envelope read(WireMessage wire) {
        return WireReader.read(new Delivery("orders", "k", "3", wire));
    }

    private static Envelope message(Payload payload, Map<String, String> headers) {
        return new Envelope(ID, Category.COMMAND, "PlaceOrder", "orders", "", "order-1", payload, headers);
    }
}
