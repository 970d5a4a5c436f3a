package io.waybill.webhook;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Messages and secrets to try things with. */
final class Samples {

    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    private Samples() {}

    static Envelope message(String destination, String key) {
        return message(destination, key, Map.of());
    }

    static Envelope message(String destination, String key, Map<String, String> headers) {
        return new Envelope(
                UuidV7.SYSTEM.get(),
                Category.EVENT,
                "OrderPlaced",
                destination,
                "",
                key,
                Payload.text("{\"order\":1}"),
                headers);
    }

    /** As many, none of which waits for another. */
    static List<Envelope> unordered(String destination, int count) {
        return IntStream.range(0, count).mapToObj(i -> message(destination, "")).toList();
    }
}
