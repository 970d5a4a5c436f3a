package io.waybill.relay;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.WireFormat;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The publishers of one relay: one for each line that its routes use, opened when it is first needed.
 *
 * <p>A relay that was taken over without a farewell may still have something on its way. Each transport fences it before it
 * sends anything more, and is away until that has succeeded.
 *
 * <p><i>Threads:</i> safe, with one thread at a time for each line.
 */
final class Publishers {

    private final String relay;
    private final Map<Line, Publisher> open = new ConcurrentHashMap<>();
    private final Map<Transport, Set<String>> toFence = new ConcurrentHashMap<>();
    private final Set<String> takenOver = new HashSet<>();

    Publishers(String relay) {
        this.relay = relay;
    }

    /**
     * What messages share on their way to a broker.
     *
     * @param name which of the transport's lines it is
     */
    record Line(Transport transport, WireFormat format, String name) {}

    /** This relay has taken shards from one that stopped answering, perhaps not for the first time. */
    synchronized void fence(String other) {
        takenOver.add(other);
        toFence.values().forEach(waiting -> waiting.add(other));
    }

    /** A publisher that breaks its own promise is a destination that is away: what others have sent must still be settled. */
    List<Outcome> publish(Line line, List<Envelope> messages, Deadline deadline) {
        String problem;
        try {
            fence(line.transport());
            List<Outcome> outcomes = open.computeIfAbsent(line, this::open).publish(messages, deadline);
            if (outcomes.size() == messages.size()) {
                return outcomes;
            }
            problem = "The publisher answered for " + outcomes.size() + " of " + messages.size() + " messages.";
        } catch (RuntimeException e) {
            problem = "The publisher failed: " + e;
        }
        return Collections.nCopies(messages.size(), new Outcome.Unavailable(problem));
    }

    private Publisher open(Line line) {
        return line.transport().publisher(relay, line.format());
    }

    private void fence(Transport transport) {
        Set<String> waiting = toFence(transport);
        synchronized (waiting) {
            for (String other : List.copyOf(waiting)) {
                transport.fence(other);
                waiting.remove(other);
            }
        }
    }

    private synchronized Set<String> toFence(Transport transport) {
        return toFence.computeIfAbsent(transport, none -> {
            Set<String> waiting = ConcurrentHashMap.newKeySet();
            waiting.addAll(takenOver);
            return waiting;
        });
    }

    void close() {
        open.values().forEach(Publisher::close);
        open.clear();
    }
}
