package io.waybill.benchmarks;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a real broker accepts. */
final class PublishingSink implements Sink {

    private final Publisher publisher;
    private final AtomicLong accepted = new AtomicLong();

    PublishingSink(Publisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        List<Outcome> outcomes = publisher.publish(batch, deadline);
        accepted.addAndGet(outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Accepted)
                .count());
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

    @Override
    public void close() {
        publisher.close();
    }
}
