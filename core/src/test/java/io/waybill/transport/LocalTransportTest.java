package io.waybill.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalTransportTest {

    private final LocalTransport transport = new LocalTransport();
    private final List<Envelope> received = new ArrayList<>();

    @Test
    void every_receiver_of_a_destination_gets_its_messages_in_order() {
        transport.subscribe("orders", received::add);
        transport.subscribe("orders", received::add);
        transport.subscribe("bills", received::add);
        List<Envelope> batch = List.of(message("orders", "a"), message("orders", "b"));

        assertThat(transport.publish(batch, () -> false)).containsOnly(new Outcome.Accepted());

        assertThat(received).containsExactly(batch.get(0), batch.get(0), batch.get(1), batch.get(1));
    }

    @Test
    void behind_a_refused_message_its_key_waits_and_the_others_go_on() {
        List<Envelope> batch = List.of(message("orders", "bad"), message("orders", "good"), message("orders", "bad"));
        transport.subscribe("orders", message -> {
            if (message.equals(batch.get(0))) {
                throw new IllegalStateException("no such customer");
            }
            received.add(message);
        });

        assertThat(transport.publish(batch, () -> false))
                .containsExactly(
                        new Outcome.Refused("java.lang.IllegalStateException: no such customer"),
                        new Outcome.Accepted(),
                        new Outcome.NotAttempted());
        assertThat(received).containsExactly(batch.get(1));
    }

    @Test
    void a_destination_without_a_receiver_is_a_misconfiguration() {
        assertThat(transport.publish(List.of(message("orders", "a")), () -> false))
                .containsExactly(new Outcome.Misconfigured("Nobody in this process subscribes to 'orders'."));
    }

    @Test
    void after_the_deadline_nothing_is_handed_over() {
        transport.subscribe("orders", received::add);

        assertThat(transport.publish(List.of(message("orders", "a")), () -> true))
                .containsExactly(new Outcome.NotAttempted());
        assertThat(received).isEmpty();
    }

    private static Envelope message(String destination, String key) {
        return new Envelope(
                UuidV7.SYSTEM.get(), Category.EVENT, "Numbered", destination, "", key, Payload.text("1"), Map.of());
    }
}
