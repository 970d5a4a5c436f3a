package io.waybill.testkit;

import io.waybill.message.Envelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Judges what a receiver saw by what the test did: who appended when, who committed when, when relays looked. It knows nothing of
 * positions or of a store, and asks for exactly what is promised of two messages of one key:
 *
 * <ul>
 *   <li>of one transaction, in the order in which they were appended;
 *   <li>when one was committed before the other was appended, that one first;
 *   <li>otherwise their transactions overlapped: the one first that became visible to a relay first.
 * </ul>
 */
public final class CommitOrder {

    private final Map<UUID, Appended> messages = new LinkedHashMap<>();
    private final Map<Object, Committed> transactions = new HashMap<>();
    private long now;
    private int looks;

    /** This transaction has appended the message. */
    public void appended(Object transaction, UUID message) {
        messages.put(message, new Appended(transaction, now++));
    }

    public void committed(Object transaction) {
        transactions.put(transaction, new Committed(now++, looks));
    }

    /** Relays have seen everything that is visible. */
    public void looked() {
        looks++;
    }

    /** What is committed and was not received. */
    public Set<UUID> missing(List<Envelope> received) {
        Set<UUID> missing = new HashSet<>();
        messages.forEach((id, message) -> {
            if (transactions.containsKey(message.transaction)) {
                missing.add(id);
            }
        });
        received.forEach(message -> missing.remove(message.id()));
        return missing;
    }

    /** Every pair of one key that was received the wrong way round, and whatever came twice or was never committed. */
    public List<String> violations(List<Envelope> received) {
        var violations = new ArrayList<String>();
        Map<List<String>, List<Envelope>> earlier = new HashMap<>();
        Set<UUID> seen = new HashSet<>();
        for (Envelope message : received) {
            if (!seen.add(message.id())) {
                violations.add(message.payload().asText() + " came twice");
            }
            var ofKey = earlier.computeIfAbsent(
                    List.of(message.destination(), message.partitionKey()), none -> new ArrayList<>());
            ofKey.forEach(before -> problem(before, message)
                    .ifPresent(problem -> violations.add(before.payload().asText() + " came before "
                            + message.payload().asText() + ", but " + problem)));
            ofKey.add(message);
        }
        return violations;
    }

    /** Why the second should have come first. */
    private Optional<String> problem(Envelope first, Envelope second) {
        Appended one = messages.get(first.id());
        Appended other = messages.get(second.id());
        if (one == null || other == null) {
            return Optional.of("nobody appended them both");
        }
        if (one.transaction.equals(other.transaction)) {
            return when(other.at < one.at, "was appended after it in the same transaction");
        }
        Committed oneEnd = transactions.get(one.transaction);
        Committed otherEnd = transactions.get(other.transaction);
        if (oneEnd == null || otherEnd == null) {
            return Optional.of("one of them was never committed");
        }
        if (otherEnd.at < one.at) {
            return Optional.of("was appended after the other was committed");
        }
        return when(
                oneEnd.at > other.at && otherEnd.look < oneEnd.look,
                "became visible after the other had been looked at");
    }

    private static Optional<String> when(boolean wrong, String problem) {
        return wrong ? Optional.of(problem) : Optional.empty();
    }

    private record Appended(Object transaction, long at) {}

    private record Committed(long at, int look) {}
}
