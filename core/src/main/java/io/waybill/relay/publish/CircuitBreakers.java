package io.waybill.relay.publish;

import io.waybill.Backoff;
import io.waybill.Time;
import io.waybill.observe.WaitingItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations do not take messages at the moment. A destination that is down is left alone for a while, then asked with
 * one message; nobody's attempt is used up.
 *
 * <p><i>Threads:</i> the relay's own; {@link #waiting} is for others too.
 */
public final class CircuitBreakers {

    /** How long a destination that is down is left alone: 1 s, 2 s … 30 s. */
    private static final Backoff AWAY = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), 0.1);

    /** How often a destination that is set up wrongly is looked at again. */
    private static final Duration WRONG = Duration.ofSeconds(60);

    private final Time time;
    private final Map<String, OpenCircuit> circuits = new ConcurrentHashMap<>();

    public CircuitBreakers(Time time) {
        this.time = time;
    }

    /** How many messages the destination may get now: all, one to try, or none. */
    public Admission admission(String destination) {
        OpenCircuit circuit = circuits.get(destination);
        if (circuit == null) {
            return Admission.ALL;
        }
        return circuit.since.hasReached(circuit.pause) ? Admission.ONE : Admission.NONE;
    }

    /** The destinations that may get nothing now; those that are only asked whether they are there again are not among them. */
    public Set<String> open() {
        return circuits.keySet().stream()
                .filter(destination -> admission(destination) == Admission.NONE)
                .collect(Collectors.toSet());
    }

    /** The destination took a message; true when it was down until now. */
    boolean accepted(String destination) {
        return !circuits.isEmpty() && circuits.remove(destination) != null;
    }

    /** The destination is down; true when it was not, or was set up wrongly until now. The messages of one batch count once. */
    boolean unavailable(String destination, String reason) {
        @Nullable OpenCircuit before = circuits.get(destination);
        if (before != null && !before.since.hasReached(before.pause)) {
            return false;
        }
        int failures = before == null ? 1 : before.failures + 1;
        Instant first = before == null ? time.clock().instant() : before.first;
        circuits.put(
                destination, new OpenCircuit(failures, AWAY.delay(failures), time.stopwatch(), first, reason, false));
        return before == null || before.misconfigured;
    }

    /** The destination is set up wrongly; true when it was not, or was only down until now. */
    boolean misconfigured(String destination, String reason) {
        @Nullable OpenCircuit before = circuits.get(destination);
        Instant first = before == null ? time.clock().instant() : before.first;
        circuits.put(destination, new OpenCircuit(1, WRONG, time.stopwatch(), first, reason, true));
        return before == null || !before.misconfigured;
    }

    /** The destinations that do not take messages, since when and why. */
    public List<WaitingItem> waiting() {
        return circuits.entrySet().stream()
                .map(entry -> {
                    OpenCircuit circuit = entry.getValue();
                    return new WaitingItem(
                            WaitingItem.Kind.DESTINATION,
                            entry.getKey(),
                            1,
                            circuit.first,
                            true,
                            circuit.reason,
                            circuit.misconfigured
                                    ? "its configuration is fixed; the relay checks it every minute"
                                    : "it responds; the relay retries",
                            circuit.misconfigured ? "WB-103" : "WB-102");
                })
                .toList();
    }

    /** The destinations that do not take messages, and why. */
    public Map<String, String> reasons() {
        return circuits.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().reason));
    }

    public enum Admission {
        ALL,
        ONE,
        NONE
    }

    /** @param first when it began, with the first of these failures */
    private record OpenCircuit(
            int failures, Duration pause, Time.Stopwatch since, Instant first, String reason, boolean misconfigured) {}
}
