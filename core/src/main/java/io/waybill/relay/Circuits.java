package io.waybill.relay;

import io.waybill.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations do not take messages at the moment. A destination that is down is left alone for a while, then asked with
 * one message; nobody's attempt is used up.
 */
final class Circuits {

    /** How long a destination that is down is left alone: 1 s, 2 s … 30 s. */
    private static final Backoff AWAY = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), 0.1);

    /** How often a destination that is set up wrongly is looked at again. */
    private static final Duration WRONG = Duration.ofSeconds(60);

    private final Time time;
    private final Map<String, Open> open = new HashMap<>();

    Circuits(Time time) {
        this.time = time;
    }

    /** How many messages the destination may get now: all, one to try, or none. */
    Admission admission(String destination) {
        Open circuit = open.get(destination);
        if (circuit == null) {
            return Admission.ALL;
        }
        return circuit.since.hasReached(circuit.pause) ? Admission.ONE : Admission.NONE;
    }

    /** The destinations that may get nothing now. */
    Set<String> closed() {
        return open.keySet().stream()
                .filter(destination -> admission(destination) == Admission.NONE)
                .collect(Collectors.toSet());
    }

    /** The destination took a message; true when it was down until now. */
    boolean accepted(String destination) {
        return !open.isEmpty() && open.remove(destination) != null;
    }

    /** The destination is down; true when that is news. The messages of one batch count once. */
    boolean unavailable(String destination) {
        @Nullable Open before = open.get(destination);
        if (before != null && !before.since.hasReached(before.pause)) {
            return false;
        }
        int failures = before == null ? 1 : before.failures + 1;
        open.put(destination, new Open(failures, AWAY.delay(failures), time.stopwatch()));
        return before == null;
    }

    /** The destination is set up wrongly; true when that is news. */
    boolean misconfigured(String destination) {
        return open.put(destination, new Open(1, WRONG, time.stopwatch())) == null;
    }

    enum Admission {
        ALL,
        ONE,
        NONE
    }

    private record Open(int failures, Duration pause, Time.Stopwatch since) {}
}
