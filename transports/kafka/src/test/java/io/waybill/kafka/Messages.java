package io.waybill.kafka;

import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.message.UuidV7;
import java.util.Map;

/** Messages of the tests: their payload is a number. */
public final class Messages {

    private Messages() {}

    public static Envelope message(String topic, String key, String partitionKey, long number) {
        return message(topic, key, partitionKey, Long.toString(number));
    }

    static Envelope message(String topic, String key, String partitionKey, String payload) {
        return new Envelope(
                UuidV7.SYSTEM.get(),
                Category.EVENT,
                "Numbered",
                topic,
                key,
                partitionKey,
                Payload.text(payload),
                Map.of());
    }
}
