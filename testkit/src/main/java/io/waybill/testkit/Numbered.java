package io.waybill.testkit;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.WireReader;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Messages whose payload says their key and their number, whatever a broker tells of them. */
public final class Numbered {

    public static final Outcome ACCEPTED = new Outcome.Accepted();
    public static final Outcome NOT_ATTEMPTED = new Outcome.NotAttempted();

    private Numbered() {}

    public static Envelope message(String destination, String key, long number) {
        return new Envelope(
                UuidV7.SYSTEM.get(),
                Category.EVENT,
                "Numbered",
                destination,
                "",
                key,
                Payload.text("{\"key\":\"" + key + "\",\"number\":" + number + "}"),
                Map.of());
    }

    /** In turn among so many keys. */
    public static List<Envelope> messages(String destination, int keys, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> message(destination, "key-" + number % keys, number))
                .toList();
    }

    /** What is not accepted yet. */
    public static List<Envelope> left(List<Envelope> sent, List<Outcome> outcomes) {
        return IntStream.range(0, sent.size())
                .filter(i -> !outcomes.get(i).equals(ACCEPTED))
                .mapToObj(sent::get)
                .toList();
    }

    /** What arrived, with the key that its payload tells. */
    public static Envelope read(Delivery arrived) {
        Envelope message = WireReader.read(arrived);
        return new Envelope(
                message.id(),
                message.category(),
                message.type(),
                message.destination(),
                message.key(),
                message.payload().asText().split("\"", -1)[3],
                message.payload(),
                message.headers());
    }

    public static long number(Envelope message) {
        String text = message.payload().asText();
        return Long.parseLong(text.substring(text.lastIndexOf(':') + 1, text.length() - 1));
    }

    public static OrderCheck check(List<Delivery> arrived, int expected) {
        return OrderCheck.of(arrived.stream().map(Numbered::read).toList(), expected, Numbered::number);
    }
}
