package io.waybill.jms.publish;

import io.waybill.jms.client.JmsFault;
import io.waybill.message.Envelope;
import io.waybill.transport.Outcome;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A batch and what has become of it so far. A message that nothing is said of was not attempted. */
final class JmsBatch {

    private static final Outcome ACCEPTED = new Outcome.Accepted();
    private static final Outcome NOT_ATTEMPTED = new Outcome.NotAttempted();

    private final List<Envelope> messages;
    private final Outcome[] outcomes;
    private final Set<List<String>> stoppedKeys = new HashSet<>();
    private final Set<String> stoppedDestinations = new HashSet<>();

    JmsBatch(List<Envelope> messages) {
        this.messages = messages;
        this.outcomes = new Outcome[messages.size()];
        Arrays.fill(outcomes, NOT_ATTEMPTED);
    }

    int size() {
        return messages.size();
    }

    Envelope message(int index) {
        return messages.get(index);
    }

    /** Each destination, with its first message. */
    Map<String, Integer> destinations() {
        var first = new LinkedHashMap<String, Integer>();
        for (int i = 0; i < size(); i++) {
            first.putIfAbsent(message(i).destination(), i);
        }
        return first;
    }

    /** Whether it has no outcome yet, and nothing stands in its way. */
    boolean isSendable(int index) {
        if (outcomes[index] != NOT_ATTEMPTED) {
            return false;
        }
        if (stoppedKeys.isEmpty() && stoppedDestinations.isEmpty()) {
            return true;
        }
        Envelope message = message(index);
        return !stoppedDestinations.contains(message.destination())
                && !(message.isOrdered() && stoppedKeys.contains(key(message)));
    }

    boolean hasSendable(int from, int to) {
        for (int i = from; i < to; i++) {
            if (isSendable(i)) {
                return true;
            }
        }
        return false;
    }

    /** A transaction with everything sendable of this part was committed. */
    void accepted(int from, int to) {
        for (int i = from; i < to; i++) {
            if (isSendable(i)) {
                outcomes[i] = ACCEPTED;
            }
        }
    }

    /** A message was not accepted. What a refusal stops is its key; what anything else stops is its destination. */
    void failed(int index, JmsFault fault, String reason) {
        Envelope message = message(index);
        outcomes[index] = fault.outcome(reason);
        if (fault == JmsFault.REFUSED) {
            stoppedKeys.add(key(message));
        } else {
            stoppedDestinations.add(message.destination());
        }
    }

    /** The same for everything that could still be sent. */
    void failedAll(JmsFault fault, String reason) {
        Outcome outcome = fault.outcome(reason);
        for (int i = 0; i < size(); i++) {
            if (isSendable(i)) {
                outcomes[i] = outcome;
            }
        }
    }

    List<Outcome> outcomes() {
        return List.of(outcomes);
    }

    private static List<String> key(Envelope message) {
        return List.of(message.destination(), message.partitionKey());
    }
}
