package io.waybill.jms.publish;

import io.waybill.jms.client.BrokenLinkException;
import io.waybill.jms.client.JmsEndpoint;
import io.waybill.jms.client.JmsFault;
import io.waybill.jms.client.JmsLink;
import io.waybill.jms.client.JmsMessages;
import io.waybill.jms.client.QueueNames;
import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a connection while it works, and makes a new one for the first batch after it broke. */
public final class JmsPublisher implements Publisher {

    private final JmsEndpoint endpoint;
    private final QueueNames names;
    private final JmsMessages messages;
    private final Duration timeout;
    private @Nullable JmsLink link;

    public JmsPublisher(JmsEndpoint endpoint, QueueNames names, JmsMessages messages, Duration timeout) {
        this.endpoint = endpoint;
        this.names = names;
        this.messages = messages;
        this.timeout = timeout;
    }

    @Override
    public List<Outcome> publish(List<Envelope> envelopes, Deadline deadline) {
        var batch = new JmsBatch(envelopes);
        if (envelopes.isEmpty() || deadline.hasPassed()) {
            return batch.outcomes();
        }
        try {
            send(batch, deadline);
        } catch (JMSException | RuntimeException e) {
            batch.failedAll(
                    JmsFault.of(e) == JmsFault.MISCONFIGURED ? JmsFault.MISCONFIGURED : JmsFault.BROKEN,
                    endpoint.whyNotConnected(e));
        } catch (BrokenLinkException e) {
            close();
            batch.failedAll(JmsFault.BROKEN, e.getMessage());
        }
        return batch.outcomes();
    }

    private void send(JmsBatch batch, Deadline deadline) throws JMSException, BrokenLinkException {
        JmsLink current = link;
        if (current == null || current.isBroken()) {
            close();
            current = endpoint.connect();
            link = current;
        }
        try (var sending = new JmsBatchSender(endpoint, names, messages, timeout, current, batch, deadline)) {
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
