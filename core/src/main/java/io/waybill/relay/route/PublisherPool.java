package io.waybill.relay.route;

import io.waybill.message.Envelope;
import io.waybill.store.outbox.Key;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishers of one relay: one for each line that its routes use, opened when it is first needed.
 *
 * <p>A relay that was taken over without a farewell may still have something on its way. Each transport fences it before it
 * sends anything more, and is away until that has succeeded.
 *
 * <p><i>Threads:</i> safe, with one thread at a time for each line.
 */
public final class PublisherPool {

    private static final Logger log = LoggerFactory.getLogger(PublisherPool.class);

    /** So many messages on which a publisher fails one after the other say that it is the publisher. */
    private static final int MAX_FAILURES = 3;

    private final String relay;
    private final Map<Line, Publisher> open = new ConcurrentHashMap<>();
    private final Map<Transport, Set<String>> toFence = new ConcurrentHashMap<>();
    private final Set<String> takenOver = new HashSet<>();
    private final Set<Line> outdated = ConcurrentHashMap.newKeySet();

    /** Where a publisher has thrown something: the next batch goes one by one, to find out for which message. */
    private final Set<Line> oneByOne = ConcurrentHashMap.newKeySet();

    public PublisherPool(String relay) {
        this.relay = relay;
    }

    /**
     * What messages share on their way to a broker.
     *
     * @param name which of the transport's lines it is
     */
    public record Line(Transport transport, WireFormat format, String name) {}

    /** This relay has taken shards from one that stopped answering, perhaps not for the first time. */
    public synchronized void fence(String other) {
        takenOver.add(other);
        toFence.values().forEach(waiting -> waiting.add(other));
    }

    /** This relay publishes for keys from now on that others published for. */
    public void shardsTaken() {
        outdated.addAll(open.keySet());
    }

    /** What a publisher throws because of a message is nobody else's: what others have sent must still be settled. */
    public List<Outcome> publish(Line line, List<Envelope> messages, Deadline deadline) {
        return oneByOne.contains(line) && messages.size() > 1
                ? publishOneByOne(line, messages, deadline)
                : publishTogether(line, messages, deadline);
    }

    private List<Outcome> publishTogether(Line line, List<Envelope> messages, Deadline deadline) {
        Outcome problem;
        try {
            fence(line.transport());
            Publisher publisher = open.computeIfAbsent(line, this::open);
            if (outdated.remove(line)) {
                publisher.shardsTaken();
            }
            List<Outcome> outcomes = publisher.publish(messages, deadline);
            if (outcomes.size() == messages.size()) {
                return outcomes;
            }
            problem = new Outcome.Unavailable(
                    "The publisher answered for " + outcomes.size() + " of " + messages.size() + " messages.");
        } catch (RuntimeException | StackOverflowError | LinkageError | OutOfMemoryError e) {
            log.debug("The publisher failed.", e);
            String reason = "The publisher failed: " + e;
            boolean unclear = messages.size() == 1 && !(e instanceof OutOfMemoryError);
            problem = unclear ? new Outcome.Inconclusive(reason) : new Outcome.Unavailable(reason);
            oneByOne.add(line);
        }
        return Collections.nCopies(messages.size(), problem);
    }

    /** Of each key up to the first that is not accepted, and not many more once the publisher fails on all of them. */
    private List<Outcome> publishOneByOne(Line line, List<Envelope> messages, Deadline deadline) {
        List<Outcome> outcomes = new ArrayList<>(messages.size());
        Set<Key> stopped = new HashSet<>();
        boolean away = false;
        int failed = 0;
        int accepted = 0;
        for (Envelope message : messages) {
            boolean skipped = away
                    || (accepted == 0 && failed == MAX_FAILURES)
                    || (message.isOrdered() && stopped.contains(Key.of(message)));
            Outcome outcome = skipped
                    ? new Outcome.NotAttempted()
                    : publishTogether(line, List.of(message), deadline).get(0);
            outcomes.add(outcome);
            away |= outcome instanceof Outcome.Unavailable || outcome instanceof Outcome.Misconfigured;
            if (outcome instanceof Outcome.Accepted) {
                accepted++;
            } else {
                failed += outcome instanceof Outcome.Inconclusive ? 1 : 0;
                stopped.add(Key.of(message));
            }
        }
        if (failed == 0 && !away) {
            oneByOne.remove(line);
        }
        return outcomes;
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

    public void close() {
        open.values().forEach(Publisher::close);
        open.clear();
    }
}
