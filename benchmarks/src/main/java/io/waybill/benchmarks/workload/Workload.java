package io.waybill.benchmarks.workload;

import io.waybill.message.Message;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The messages of every benchmark: numbered, 500 bytes of JSON, one destination.
 *
 * @param keys among how many partition keys they are spread, in turn
 */
public record Workload(int keys) {

    public static final Workload USUAL = new Workload(1_000);
    public static final String DESTINATION = "orders.placed";

    public static final Workload ONE_KEY = new Workload(1);
    public static final int PAYLOAD_BYTES = 500;

    private static final String HEAD = "{\"n\":";
    private static final String BODY = ",\"text\":\"";
    private static final String TAIL = "\"}";
    private static final String FILLING = "Waybill ".repeat(PAYLOAD_BYTES / 8 + 1);

    public String key(int number) {
        return "key-" + number % keys;
    }

    public String payload(int number) {
        String digits = Integer.toString(number);
        int filling = PAYLOAD_BYTES - HEAD.length() - digits.length() - BODY.length() - TAIL.length();
        return HEAD + digits + BODY + FILLING.substring(0, filling) + TAIL;
    }

    /** Which message a payload belongs to. */
    public static int number(String payload) {
        return Integer.parseInt(payload, HEAD.length(), payload.indexOf(','), 10);
    }

    public Message message(int number) {
        return Message.event("OrderPlaced", payload(number)).to(DESTINATION).inOrderOf(key(number));
    }

    public List<Message> messages(int from, int to) {
        return IntStream.range(from, to).mapToObj(this::message).toList();
    }
}
