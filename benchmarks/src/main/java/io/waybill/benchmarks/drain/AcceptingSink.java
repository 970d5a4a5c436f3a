package io.waybill.benchmarks.drain;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Accepts everything at once. */
final class AcceptingSink implements Sink {

    private static final Outcome ACCEPTED = new Outcome.Accepted();

    private final AtomicLong accepted = new AtomicLong();

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        accepted.addAndGet(batch.size());
        return Collections.nCopies(batch.size(), ACCEPTED);
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
