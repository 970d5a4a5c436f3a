package io.waybill.testkit.memory;

import io.waybill.message.Envelope;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.WireFormat;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What one group has still to receive from one source. */
final class MemoryQueue {

    private final String source;
    private final Supplier<List<Envelope>> accepted;
    /** By their numbers among everything that was accepted. */
    private final NavigableMap<Integer, Envelope> waiting = new TreeMap<>();

    private final Set<String> keysUnderWay = new HashSet<>();
    private int seen;

    MemoryQueue(String source, Supplier<List<Envelope>> accepted) {
        this.source = source;
        this.accepted = accepted;
    }

    /** The next messages, except those of keys that another batch has. */
    synchronized Batch take(int most, boolean ordered) {
        lookForMore();
        var taken = new TreeMap<Integer, Envelope>();
        waiting.forEach((number, message) -> {
            if (taken.size() < most && !(ordered && keysUnderWay.contains(message.partitionKey()))) {
                taken.put(number, message);
            }
        });
        taken.keySet().forEach(waiting::remove);
        var batch = new Batch(taken);
        keysUnderWay.addAll(batch.keys());
        return batch;
    }

    synchronized void acknowledge(Batch batch) {
        keysUnderWay.removeAll(batch.keys());
    }

    /** To its place in front of all that were accepted later. */
    synchronized void giveBack(Batch batch) {
        waiting.putAll(batch.messages);
        keysUnderWay.removeAll(batch.keys());
    }

    private void lookForMore() {
        List<Envelope> all = accepted.get();
        for (; seen < all.size(); seen++) {
            if (all.get(seen).destination().equals(source)) {
                waiting.put(seen, all.get(seen));
            }
        }
    }

    /** Messages that one receiver has. */
    final class Batch {

        private final NavigableMap<Integer, Envelope> messages;

        private Batch(NavigableMap<Integer, Envelope> messages) {
            this.messages = messages;
        }

        boolean isEmpty() {
            return messages.isEmpty();
        }

        List<Delivery> deliveries() {
            return messages.entrySet().stream()
                    .map(entry -> new Delivery(
                            source,
                            entry.getValue().partitionKey(),
                            Integer.toString(entry.getKey()),
                            WireFormat.PLAIN.write(entry.getValue(), "")))
                    .toList();
        }

        /** A message without a key waits for nobody. */
        private Set<String> keys() {
            var keys = new HashSet<String>();
            messages.values().stream().filter(Envelope::isOrdered).forEach(message -> keys.add(message.partitionKey()));
            return keys;
        }
    }
}
