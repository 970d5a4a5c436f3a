package io.waybill.testkit;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A broker in memory that keeps what it accepted, in order, and fails as it is told to.
 *
 * <p><i>Threads:</i> safe; any number of relays may publish to it.
 */
public final class MemoryBroker implements Publisher {

    private final List<Envelope> accepted = new ArrayList<>();
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
