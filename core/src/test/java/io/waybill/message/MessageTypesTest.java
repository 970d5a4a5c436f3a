package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageTypesTest {

    private final MessageTypes types = MessageTypes.of(Placed.class).with("CustomerMoved", Moved.class);

    @MessageType("OrderPlaced")
    record Placed() {}

    @MessageType("OrderPlaced")
    record PlacedDifferently() {}

    @MessageType(" ")
    record Nameless() {}

    record Moved() {}

    @Test
    void a_name_leads_to_its_class() {
        assertThat(types.classOf("OrderPlaced")).isEqualTo(Placed.class);
        assertThat(types.classOf("CustomerMoved")).isEqualTo(Moved.class);
        assertThat(types.knows("OrderPlaced")).isTrue();
        assertThat(types.knows("OrderLost")).isFalse();
    }

    @Test
    void a_class_may_have_an_old_name_besides() {
        assertThat(types.with("OrderCreated", Placed.class).classOf("OrderCreated"))
                .isEqualTo(Placed.class);
        assertThat(types.with("OrderPlaced", Placed.class).classOf("OrderPlaced"))
                .isEqualTo(Placed.class);
    }

    @Test
    void two_classes_with_one_name_are_refused_and_both_are_named() {
        assertThatThrownBy(() -> MessageTypes.of(Placed.class, PlacedDifferently.class))
                .isInstanceOf(WaybillException.class)
                .hasMessageContainingAll("'OrderPlaced'", Placed.class.getName(), PlacedDifferently.class.getName());
    }

    @Test
    void an_unknown_name_says_which_are_known_and_what_to_write() {
        assertThatThrownBy(() -> types.classOf("OrderLost"))
                .isInstanceOf(WaybillException.class)
                .hasMessageContainingAll(
                        "'OrderLost'", "'CustomerMoved', 'OrderPlaced'", "types.with(\"OrderLost\", SomeClass.class)");
        assertThatThrownBy(() -> MessageTypes.of().classOf("OrderLost")).hasMessageContaining("Known are none");
    }

    @Test
    void a_class_without_a_name_says_what_to_write() {
        assertThatThrownBy(() -> MessageTypes.of(Moved.class)).hasMessageContaining("@MessageType(\"Moved\")");
        assertThatThrownBy(() -> MessageTypes.of(Nameless.class)).hasMessageContaining(Nameless.class.getName());
    }

    @Test
    void a_codec_that_is_not_there_is_an_error_only_when_it_is_needed() {
        var none = new FoundCodec(List::of);

        assertThatThrownBy(() -> none.decode(Payload.text("{}"), Placed.class))
                .isInstanceOf(WaybillException.class)
                .hasMessageContainingAll(Placed.class.getName(), "io.waybill:waybill-jackson");
    }

    @Test
    void several_codecs_are_an_error_that_names_them() {
        var two = new FoundCodec(() -> List.of(new FoundCodec(List::of), new FoundCodec(List::of)));

        assertThatThrownBy(() -> two.encode(1))
                .hasMessageContainingAll("several codecs", FoundCodec.class.getName() + " and ");
    }
}
