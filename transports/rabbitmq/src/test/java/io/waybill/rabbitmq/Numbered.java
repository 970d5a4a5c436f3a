package io.waybill.rabbitmq;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.WireReader;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Messages whose payload says their key and number. */
final class Numbered {

    static final Outcome ACCEPTED = new Outcome.Accepted();
    static final Outcome NOT_ATTEMPTED = new Outcome.NotAttempted();

    private Numbered() {}

    static Envelope message(String destination, String key, int number) {
        return new Envelope(
                UuidV7.SYSTEM.get(),
                Category.EVENT,
                "Numbered",
                destination,
                "",
                key,
                Payload.text("[\"" + key + "\"," + number + "]"),
                Map.of());
    }

    /** In turn among so many keys. */
    static List<Envelope> messages(String destination, int keys, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> message(destination, "key-" + number % keys, number))
                .toList();
    }

    /** What is not accepted yet. */
    static List<Envelope> left(List<Envelope> sent, List<Outcome> outcomes) {
        return IntStream.range(0, sent.size())
                .filter(i -> !outcomes.get(i).equals(ACCEPTED))
                .mapToObj(sent::get)
                .toList();
    }

    static OrderCheck check(List<Delivery> arrived, int expected) {
        return OrderCheck.of(arrived.stream().map(Numbered::withItsKey).toList(), expected, Numbered::number);
    }

    private static Envelope withItsKey(Delivery arrived) {
        Envelope message = WireReader.read(arrived);
        String key = message.payload().asText().split("\"", -1)[1];
        return new Envelope(
                message.id(),
                message.category(),
                message.type(),
                message.destination(),
                message.key(),
                key,
                message.payload(),
                message.headers());
    }

    static int number(Envelope message) {
        String text = message.payload().asText();
        return Integer.parseInt(text.substring(text.lastIndexOf(',') + 1, text.length() - 1));
    }
}
