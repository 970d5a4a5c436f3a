package io.waybill.benchmarks.drain;

import io.waybill.benchmarks.workload.Workload;
import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.util.BitSet;
import java.util.List;

/** Refuses certain messages, once or for good, and knows what it waits for. Used by one relay. */
public final class RefusingSink implements Sink {

    private static final Outcome ACCEPTED = new Outcome.Accepted();
    private static final Outcome REFUSED = new Outcome.Refused("refused by the benchmark");

    private final BitSet refused;
    private final boolean forGood;
    private final BitSet awaited;
    private long accepted;

    /** @param awaited the messages after which the measurement ends */
    public RefusingSink(BitSet refused, boolean forGood, BitSet awaited) {
        this.refused = (BitSet) refused.clone();
        this.forGood = forGood;
        this.awaited = (BitSet) awaited.clone();
    }

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        return Publisher.oneByOne(batch, deadline, this::answer);
    }

    private Outcome answer(Envelope message) {
        int number = Workload.number(message.payload().asText());
        if (refused.get(number)) {
            refused.set(number, forGood);
            return REFUSED;
        }
        accepted++;
        awaited.clear(number);
        return ACCEPTED;
    }

    @Override
    public long accepted() {
        return accepted;
    }

    @Override
    public boolean hasAll(int messages) {
        return awaited.isEmpty();
    }
}
