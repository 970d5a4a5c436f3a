package io.waybill.jms;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a connection while it works, and makes a new one for the first batch after it broke. */
final class JmsPublisher implements Publisher {

    private final Endpoint endpoint;
    private final QueueNames names;
    private final JmsMessages messages;
    private final Duration timeout;
    private @Nullable Link link;

    JmsPublisher(Endpoint endpoint, QueueNames names, JmsMessages messages, Duration timeout) {
        this.endpoint = endpoint;
        this.names = names;
        this.messages = messages;
        this.timeout = timeout;
    }

    @Override
    public List<Outcome> publish(List<Envelope> envelopes, Deadline deadline) {
        var batch = new Batch(envelopes);
        if (envelopes.isEmpty() || deadline.hasPassed()) {
            return batch.outcomes();
        }
        try {
            send(batch, deadline);
        } catch (JMSException | RuntimeException e) {
            batch.failedAll(
                    Fault.of(e) == Fault.MISCONFIGURED ? Fault.MISCONFIGURED : Fault.BROKEN,
                    endpoint.whyNotConnected(e));
        } catch (BrokenLinkException e) {
            close();
            batch.failedAll(Fault.BROKEN, e.getMessage());
        }
        return batch.outcomes();
    }

    private void send(Batch batch, Deadline deadline) throws JMSException, BrokenLinkException {
        Link current = link;
        if (current == null || current.isBroken()) {
            close();
            current = endpoint.connect();
            link = current;
        }
        try (var sending = new BatchSending(endpoint, names, messages, timeout, current, batch, deadline)) {
            sending.run();
        }
    }

    @Override
    public void close() {
        if (link != null) {
            link.close();
            link = null;
        }
    }
}
