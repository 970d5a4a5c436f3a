package io.waybill.transport;

import io.waybill.message.Envelope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages to receivers in the same process, one after the other.
 *
 * <p>A receiver that throws refuses the message; all receivers of the destination get it again with the next attempt, so
 * each of them must recognise repetitions (an {@code Inbox} does).
 */
public final class LocalTransport implements Publisher {

    /** Takes a message, or throws. */
    @FunctionalInterface
    public interface Receiver {
        void receive(Envelope message);
    }

    private final Map<String, List<Receiver>> receivers = new ConcurrentHashMap<>();

    public void subscribe(String destination, Receiver receiver) {
        receivers
                .computeIfAbsent(destination, none -> new CopyOnWriteArrayList<>())
                .add(receiver);
    }

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        return Publisher.oneByOne(batch, deadline, this::deliver);
    }

    private Outcome deliver(Envelope message) {
        @Nullable List<Receiver> subscribed = receivers.get(message.destination());
        if (subscribed == null) {
            return new Outcome.Misconfigured("Nobody in this process subscribes to '" + message.destination() + "'.");
        }
        try {
            subscribed.forEach(receiver -> receiver.receive(message));
            return new Outcome.Accepted();
        } catch (RuntimeException e) {
            return new Outcome.Refused(e.toString());
        }
    }
}
