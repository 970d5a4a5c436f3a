package io.waybill.testkit.memory;

import io.waybill.message.Envelope;
import io.waybill.transport.Broker;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.wire.WireFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A broker in memory that keeps what it accepted, in order, and fails as it is told to.
 *
 * <p><i>Threads:</i> safe; any number of relays may publish to it.
 */
public final class MemoryBroker implements Publisher {

    private final List<Envelope> accepted = new ArrayList<>();
    private final Map<List<String>, MemoryQueue> queues = new HashMap<>();
    private Function<Envelope, Outcome> behaviour = MemoryBroker::accept;

    /** How it answers from now on; a message is kept when the answer is {@link Outcome.Accepted}. */
    public synchronized void answers(Function<Envelope, Outcome> behaviour) {
        this.behaviour = behaviour;
    }

    /** Accepts everything from now on. */
    public synchronized void recovers() {
        this.behaviour = MemoryBroker::accept;
    }

    /** What it accepted so far, repetitions included. */
    public synchronized List<Envelope> accepted() {
        return List.copyOf(accepted);
    }

    /** The payloads of what it accepted so far. */
    public List<String> payloads() {
        return accepted().stream().map(message -> message.payload().asText()).toList();
    }

    /** The same to receive from, too: every group gets what was accepted for its source, from the first message on. */
    public Broker asBroker() {
        return new Broker() {
            @Override
            public Publisher publisher(String relay, WireFormat format) {
                return MemoryBroker.this;
            }

            @Override
            public Subscription subscribe(SubscriptionOptions options, Receiver receiver) {
                return MemorySubscription.start(queue(options), options, receiver);
            }

            /** What was accepted is kept: there is nothing on its way. */
            @Override
            public void fence(String relay) {}

            @Override
            public void close() {}
        };
    }

    private synchronized MemoryQueue queue(SubscriptionOptions options) {
        return queues.computeIfAbsent(
                List.of(options.source(), options.group()), none -> new MemoryQueue(options.source(), this::accepted));
    }

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        return Publisher.oneByOne(batch, deadline, this::answer);
    }

    private Outcome answer(Envelope message) {
        Outcome outcome = behaviour().apply(message);
        if (outcome instanceof Outcome.Accepted) {
            keep(message);
        }
        return outcome;
    }

    private synchronized Function<Envelope, Outcome> behaviour() {
        return behaviour;
    }

    private synchronized void keep(Envelope message) {
        accepted.add(message);
    }

    @SuppressWarnings("unused")
    private static Outcome accept(Envelope any) {
        return new Outcome.Accepted();
    }
}
