package io.waybill.benchmarks.drain;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a real broker accepts. It has a publisher for each relay. */
final class CountingSink implements Sink {

    private final BlockingQueue<Publisher> publishers;
    private final AtomicLong accepted = new AtomicLong();

    CountingSink(List<Publisher> publishers) {
        this.publishers = new LinkedBlockingQueue<>(publishers);
    }

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        Publisher publisher = publishers.remove();
        List<Outcome> outcomes = publisher.publish(batch, deadline);
        publishers.add(publisher);
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
