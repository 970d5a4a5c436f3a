package io.waybill.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.MessageType;
import io.waybill.message.MessageTypes;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JacksonCodecTest {

    private static final UUID ID = UUID.fromString("018f2b6c-7a3d-7c11-9e52-5f1d2c3b4a59");
    private static final OrderPlaced PLACED = new OrderPlaced(
            ID,
            Channel.SHOP,
            List.of(new Item("ham", 2, new BigDecimal("4.50")), new Item("eggs", 12, new BigDecimal("0.10"))),
            new Times(
                    Instant.parse("2026-11-15T10:00:00.123456789Z"),
                    LocalDate.parse("2026-11-16"),
                    OffsetDateTime.parse("2026-11-15T12:00:00+02:00"),
                    Duration.ofMinutes(90)),
            Optional.of("gift"),
            true);

    private final PayloadCodec codec = new JacksonCodec();

    enum Channel {
        SHOP,
        PHONE
    }

    record Item(String name, int count, BigDecimal price) {}

    record Times(Instant placed, LocalDate due, OffsetDateTime local, Duration patience) {}

    @MessageType("OrderPlaced")
    record OrderPlaced(
            UUID orderId, Channel channel, List<Item> items, Times times, Optional<String> note, boolean urgent) {}

    /** What another program makes of the same message. */
    record Shipment(UUID orderId, List<Parcel> items) {
        record Parcel(String name, int count) {}
    }

    record Account(String owner, BigDecimal balance) {
        Account {
            if (balance.signum() < 0) {
                throw new IllegalArgumentException("balance must not be negative: " + balance);
            }
        }
    }

    @Test
    void a_record_becomes_json_that_any_program_can_read() {
        assertThat(codec.encode(PLACED).asText()).isEqualTo("""
                {"orderId":"018f2b6c-7a3d-7c11-9e52-5f1d2c3b4a59","channel":"SHOP",\
                "items":[{"name":"ham","count":2,"price":4.50},{"name":"eggs","count":12,"price":0.10}],\
                "times":{"placed":"2026-11-15T10:00:00.123456789Z","due":"2026-11-16",\
                "local":"2026-11-15T12:00:00+02:00","patience":"PT1H30M"},"note":"gift","urgent":true}""");
    }

    @Test
    void a_record_comes_back_as_it_was() {
        assertThat(codec.decode(codec.encode(PLACED), OrderPlaced.class)).isEqualTo(PLACED);
        byte[] bytes = codec.encode(PLACED).asText().getBytes(StandardCharsets.UTF_8);
        assertThat(codec.decode(Payload.binary(bytes), OrderPlaced.class)).isEqualTo(PLACED);
    }

    @Test
    void decimals_stay_exact_wherever_they_are() {
        var decimals = List.of("0.10", "1.000", "12345678901234567890.123456789", "0", "-7.0", "1E+3");
        for (String decimal : decimals) {
            var written = codec.encode(Map.of("amount", new BigDecimal(decimal)));
            assertThat(codec.decode(written, Object.class)).isEqualTo(Map.of("amount", exactly(decimal)));
            assertThat(codec.decode(written, Price.class).amount()).isEqualTo(new BigDecimal(decimal));
        }
    }

    record Price(BigDecimal amount) {}

    /** A JSON number without a point is a whole number to whoever reads it into no particular class. */
    private static Object exactly(String decimal) {
        return decimal.equals("0") ? (Object) 0 : new BigDecimal(decimal);
    }

    @Test
    void fields_that_the_reader_does_not_know_are_ignored() {
        assertThat(codec.decode(codec.encode(PLACED), Shipment.class))
                .isEqualTo(new Shipment(ID, List.of(new Shipment.Parcel("ham", 2), new Shipment.Parcel("eggs", 12))));
    }

    @Test
    void a_value_that_does_not_fit_is_named_with_its_field() {
        unreadable("{\"name\":\"ham\",\"count\":\"many\",\"price\":1}", Item.class, "field 'count' is \"many\"", "int");
        unreadable("{\"name\":\"ham\",\"count\":1.9,\"price\":1}", Item.class, "field 'count' is 1.9");
        unreadable("{\"name\":\"ham\",\"count\":null,\"price\":1}", Item.class, "field 'count' is null");
        unreadable(
                "{\"items\":[{\"count\":1},{\"count\":{\"a\":1}}]}",
                Shipment.class,
                "field 'items[1].count' is {\"a\":1}",
                Shipment.class.getName());
        unreadable("{\"channel\":\"FAX\"}", OrderPlaced.class, "field 'channel' is \"FAX\"", "SHOP", "PHONE");
        unreadable("[]", Item.class, "The payload cannot be read as a " + Item.class.getName());
        unreadable("{\"name\":", Item.class, "The payload cannot be read as a " + Item.class.getName());
        unreadable("null", Item.class, "JSON null");
    }

    @Test
    void a_field_that_is_missing_is_null_or_zero_and_up_to_the_constructor() {
        Item item = codec.decode(Payload.text("{\"name\":\"ham\"}"), Item.class);

        assertThat(item.count()).isZero();
        assertThat(item.price()).isNull();
    }

    @Test
    void what_a_constructor_refuses_is_refused_in_its_own_words() {
        unreadable("{\"owner\":\"ann\",\"balance\":-3.00}", Account.class, "balance must not be negative: -3.00");
    }

    @Test
    void an_object_that_cannot_be_written_says_why() {
        var loop = new ArrayList<Object>();
        loop.add(loop);

        assertThatThrownBy(() -> codec.encode(loop))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("A java.util.ArrayList cannot be written as JSON");
    }

    @Test
    void being_on_the_class_path_is_enough() {
        Envelope sealed = Message.event(PLACED)
                .to("orders.placed")
                .inOrderOf(PLACED.orderId())
                .seal(UUID::randomUUID);

        assertThat(sealed.type()).isEqualTo("OrderPlaced");
        assertThat(MessageTypes.of(OrderPlaced.class).read(sealed, PayloadCodec.found()))
                .isEqualTo(PLACED);
        assertThat(MessageTypes.of().with("OrderPlaced", Shipment.class).read(sealed, PayloadCodec.found()))
                .isInstanceOf(Shipment.class);
    }

    private void unreadable(String json, Class<?> type, String... words) {
        assertThatThrownBy(() -> codec.decode(Payload.text(json), type))
                .isInstanceOf(WaybillException.class)
                .hasMessageContainingAll(words);
    }
}
