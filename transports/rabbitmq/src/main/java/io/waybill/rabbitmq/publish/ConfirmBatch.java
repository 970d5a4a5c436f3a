package io.waybill.rabbitmq.publish;

import io.waybill.message.Envelope;
import io.waybill.transport.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a batch: of each key the next message, which of them are on their way, and what became of the others. Of one
 * key there is never more than one on its way, so whatever happens to it, nothing behind it has been sent.
 */
final class ConfirmBatch {

    private final @Nullable Outcome[] outcomes;
    private final Deque<Chain> ready = new ArrayDeque<>();
    private final TreeMap<Long, Item> inFlight = new TreeMap<>();
    private final Deque<Item> doubtful = new ArrayDeque<>();
    private final Set<String> stoppedDestinations = new HashSet<>();

    ConfirmBatch(List<Envelope> messages) {
        outcomes = new Outcome[messages.size()];
        Map<Key, Chain> byKey = new HashMap<>();
        for (int i = 0; i < outcomes.length; i++) {
            Envelope message = messages.get(i);
            Chain chain = message.isOrdered() ? byKey.computeIfAbsent(Key.of(message), key -> newChain()) : newChain();
            chain.items.add(new Item(i, message, chain));
        }
    }

    private Chain newChain() {
        var chain = new Chain();
        ready.add(chain);
        return chain;
    }

    /** Whether another message may be sent while not more than so many are on their way. Doubtful ones go alone. */
    boolean maySend(int most) {
        return doubtful.isEmpty() ? !ready.isEmpty() && inFlight.size() < most : inFlight.isEmpty();
    }

    /** Takes the next message; it must be sent, refused or given back. */
    Item next() {
        return doubtful.isEmpty() ? ready.remove().items.element() : doubtful.remove();
    }

    void sent(long number, Item item) {
        item.returned = null;
        inFlight.put(number, item);
    }

    /** It was not sent after all. */
    void giveBack(long number) {
        Item item = Objects.requireNonNull(inFlight.remove(number), "in flight");
        doubtful.addFirst(item);
    }

    boolean isWaiting() {
        return !inFlight.isEmpty();
    }

    /** What the broker answered for: no longer on its way. */
    List<Item> answered(long number, boolean multiple) {
        if (!multiple) {
            return Stream.ofNullable(inFlight.remove(number)).toList();
        }
        Map<Long, Item> head = inFlight.headMap(number, true);
        List<Item> answered = List.copyOf(head.values());
        head.clear();
        return answered;
    }

    /** Notes that no queue gets this message. */
    void returned(PublishTarget target, String messageId, String reason, String exchange) {
        inFlight.values().stream()
                .filter(item -> item.message.id().toString().equals(messageId)
                        && PublishTarget.of(item.message.destination(), exchange)
                                .equals(target))
                .findFirst()
                .ifPresent(item -> item.returned = reason);
    }

    void accepted(Item item) {
        outcomes[item.index] = new Outcome.Accepted();
        item.chain.items.remove();
        if (!item.chain.items.isEmpty() && !stoppedDestinations.contains(item.message.destination())) {
            ready.add(item.chain);
        }
    }

    /** The message is to blame: its key stops. */
    void refused(Item item, String reason) {
        outcomes[item.index] = new Outcome.Refused(reason);
    }

    /** Its destination is to blame, and stops. */
    void misconfigured(Item item, String reason) {
        outcomes[item.index] = new Outcome.Misconfigured(reason);
        String destination = item.message.destination();
        stoppedDestinations.add(destination);
        ready.removeIf(chain -> chain.items.element().message.destination().equals(destination));
        doubtful.removeIf(doubt -> doubt.message.destination().equals(destination));
    }

    /** The only message that is on its way, if it is. */
    Optional<Item> alone() {
        return inFlight.size() == 1 ? Optional.of(inFlight.pollFirstEntry().getValue()) : Optional.empty();
    }

    /** One of those on their way is to blame, nobody knows which: they go again, one by one. */
    void doubtAll() {
        doubtful.addAll(inFlight.values());
        inFlight.clear();
    }

    /** Nothing more can be sent: that is the outcome of the next message of every key. */
    void stop(Outcome outcome) {
        Stream.concat(
                        Stream.concat(inFlight.values().stream(), doubtful.stream()),
                        ready.stream().map(chain -> chain.items.element()))
                .forEach(item -> outcomes[item.index] = outcome);
        inFlight.clear();
        doubtful.clear();
        ready.clear();
    }

    List<Outcome> outcomes() {
        var all = new ArrayList<Outcome>(outcomes.length);
        Arrays.stream(outcomes)
                .forEach(outcome -> all.add(Objects.requireNonNullElseGet(outcome, Outcome.NotAttempted::new)));
        return all;
    }

    /** A message and its place in the batch. */
    static final class Item {
        final Envelope message;
        private final int index;
        private final Chain chain;
        /** Why the broker returned it, which it may still confirm. */
        @Nullable
        String returned;

        private Item(int index, Envelope message, Chain chain) {
            this.index = index;
            this.message = message;
            this.chain = chain;
        }
    }

    /** The messages of one key that are not accepted yet, in their order. */
    private static final class Chain {
        private final Deque<Item> items = new ArrayDeque<>();
    }

    private record Key(String destination, String partitionKey) {

        static Key of(Envelope message) {
            return new Key(message.destination(), message.partitionKey());
        }
    }
}
