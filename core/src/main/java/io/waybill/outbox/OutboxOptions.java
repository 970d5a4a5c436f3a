package io.waybill.outbox;

import io.waybill.message.DestinationPattern;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.OutboxListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of an outbox: rules for messages, the codec, and listeners.
 *
 * @param ordered destinations whose messages must have a partition key
 * @param numbered destinations whose messages get a number without gaps per key, in the header {@value Outbox#SEQUENCE}; this costs
 *     a counter, and makes transactions of one key wait for each other
 * @param codec writes payloads that are objects; by default the one on the class path
 * @param listener is called with committed messages
 * @param wake runs after a commit; where the commit cannot be observed, right after the append
 * @param destinations checks the destination of each message before it is written
 */
public record OutboxOptions(
        List<DestinationPattern> ordered,
        List<DestinationPattern> numbered,
        PayloadCodec codec,
        OutboxListener listener,
        Runnable wake,
        DestinationCheck destinations) {

    /** No rules and no listeners. */
    public static final OutboxOptions DEFAULT = new OutboxOptions(
            List.of(), List.of(), PayloadCodec.found(), OutboxListener.NONE, () -> {}, DestinationCheck.NONE);

    public OutboxOptions {
        ordered = List.copyOf(ordered);
        numbered = List.copyOf(numbered);
    }

    public OutboxOptions ordered(String pattern) {
        return new OutboxOptions(with(ordered, pattern), numbered, codec, listener, wake, destinations);
    }

    /** Numbers the messages of these destinations; they are ordered as well. */
    public OutboxOptions numbered(String pattern) {
        return new OutboxOptions(with(ordered, pattern), with(numbered, pattern), codec, listener, wake, destinations);
    }

    public OutboxOptions codec(PayloadCodec codec) {
        return new OutboxOptions(ordered, numbered, codec, listener, wake, destinations);
    }

    public OutboxOptions listener(OutboxListener listener) {
        return new OutboxOptions(ordered, numbered, codec, listener, wake, destinations);
    }

    public OutboxOptions wake(Runnable wake) {
        return new OutboxOptions(ordered, numbered, codec, listener, wake, destinations);
    }

    public OutboxOptions destinations(DestinationCheck destinations) {
        return new OutboxOptions(ordered, numbered, codec, listener, wake, destinations);
    }

    boolean isOrdered(String destination) {
        return ordered.stream().anyMatch(pattern -> pattern.matches(destination));
    }

    boolean isNumbered(String destination) {
        return numbered.stream().anyMatch(pattern -> pattern.matches(destination));
    }

    private static List<DestinationPattern> with(List<DestinationPattern> patterns, String more) {
        var all = new ArrayList<>(patterns);
        all.add(DestinationPattern.of(more));
        return all;
    }
}
