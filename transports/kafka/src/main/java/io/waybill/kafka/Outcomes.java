package io.waybill.kafka;

import io.waybill.message.Envelope;
import io.waybill.transport.Outcome;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What became of each message of a batch so far, and from where on a key may not go. */
final class Outcomes {

    private static final Outcome ACCEPTED = new Outcome.Accepted();
    private static final Outcome NOT_ATTEMPTED = new Outcome.NotAttempted();

    private final List<Envelope> batch;
    private final Outcome[] outcomes;
    private final Map<Key, Integer> stops = new HashMap<>();

    Outcomes(List<Envelope> batch) {
        this.batch = batch;
        this.outcomes = new Outcome[batch.size()];
        Arrays.fill(outcomes, NOT_ATTEMPTED);
    }

    void accepted(int index) {
        outcomes[index] = ACCEPTED;
    }

    /** Stops the message's key behind it. */
    void failed(int index, Outcome outcome) {
        outcomes[index] = outcome;
        if (batch.get(index).isOrdered()) {
            stops.merge(Key.of(batch.get(index)), index, Math::min);
        }
    }

    /** Whether it may still be sent: it has no outcome yet, and no earlier message of its key has failed. */
    boolean isOpen(int index) {
        if (outcomes[index] != NOT_ATTEMPTED) {
            return false;
        }
        Integer stop = stops.isEmpty() ? null : stops.get(Key.of(batch.get(index)));
        return stop == null || stop > index;
    }

    /** One for each message; behind the first of a key that was not accepted there is nothing but {@code NotAttempted}. */
    List<Outcome> toList() {
        Set<Key> stopped = new HashSet<>();
        for (int i = 0; i < outcomes.length; i++) {
            Envelope message = batch.get(i);
            if (message.isOrdered() && outcomes[i] != ACCEPTED && !stopped.add(Key.of(message))) {
                outcomes[i] = NOT_ATTEMPTED;
            }
        }
        return List.of(outcomes);
    }

    private record Key(String destination, String partitionKey) {

        static Key of(Envelope message) {
            return new Key(message.destination(), message.partitionKey());
        }
    }
}
