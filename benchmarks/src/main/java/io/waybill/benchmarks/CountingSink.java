package io.waybill.benchmarks;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a real broker accepts. */
final class CountingSink implements Sink {

    private final Publisher broker;
    private final AtomicLong accepted = new AtomicLong();

    CountingSink(Publisher broker) {
        this.broker = broker;
    }

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        List<Outcome> outcomes = broker.publish(batch, deadline);
        accepted.addAndGet(
                outcomes.stream().filter(Outcome.Accepted.class::isInstance).count());
        return outcomes;
    }

    @Override
    public long accepted() {
        return accepted.get();
    }

    @Override
    public boolean hasAll(int messages) {
        return accepted.get() >= messages;
    }
}
