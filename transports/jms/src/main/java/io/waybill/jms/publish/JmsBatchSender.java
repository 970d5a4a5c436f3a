package io.waybill.jms.publish;

import io.waybill.WaybillException;
import io.waybill.jms.client.BrokenLinkException;
import io.waybill.jms.client.JmsEndpoint;
import io.waybill.jms.client.JmsFault;
import io.waybill.jms.client.JmsLink;
import io.waybill.jms.client.JmsMessages;
import io.waybill.jms.client.QueueNames;
import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends one batch in one transaction. When the broker refuses the transaction it goes again in two halves, the first before the
 * second, and so on until the message that is refused is alone: what is committed of a key is always a prefix.
 */
final class JmsBatchSender implements AutoCloseable {

    private final JmsEndpoint endpoint;
    private final QueueNames names;
    private final JmsMessages messages;
    private final Duration timeout;
    private final JmsLink link;
    private final JmsBatch batch;
    private final Deadline deadline;
    private final Map<String, MessageProducer> producers = new HashMap<>();

    JmsBatchSender(
            JmsEndpoint endpoint,
            QueueNames names,
            JmsMessages messages,
            Duration timeout,
            JmsLink link,
            JmsBatch batch,
            Deadline deadline) {
        this.endpoint = endpoint;
        this.names = names;
        this.messages = messages;
        this.timeout = timeout;
        this.link = link;
        this.batch = batch;
        this.deadline = deadline;
    }

    void run() throws BrokenLinkException {
        openProducers();
        send(0, batch.size());
    }

    /**
     * Anew for every batch: only this tells that a queue is still there. To an address without a queue Artemis would say yes, and
     * drop the message.
     */
    private void openProducers() throws BrokenLinkException {
        for (var destination : batch.destinations().entrySet()) {
            if (deadline.hasPassed()) {
                return;
            }
            openProducer(destination.getKey(), destination.getValue());
        }
    }

    private void openProducer(String destination, int firstMessage) throws BrokenLinkException {
        try (var watch = endpoint.watchdog().over(link, timeout)) {
            producers.put(destination, link.producer(names.of(destination)));
        } catch (WaybillException e) {
            batch.failed(firstMessage, JmsFault.MISCONFIGURED, JmsFault.line(e));
        } catch (JMSException | RuntimeException e) {
            JmsFault fault = faultOf(e) == JmsFault.UNAVAILABLE ? JmsFault.UNAVAILABLE : JmsFault.MISCONFIGURED;
            batch.failed(firstMessage, fault, endpoint.whyNotUsable(names.of(destination), e));
        }
    }

    private void send(int first, int end) throws BrokenLinkException {
        int from = first;
        while (batch.hasSendable(from, end) && !deadline.hasPassed()) {
            Failure failure = transaction(from, end);
            if (failure == null) {
                return;
            } else if (failure.at < end) {
                // The client told which message it was: what was before it goes without it.
                send(from, failure.at);
                if (deadline.hasPassed()) {
                    return; // What was before it may not have gone, and must not wait behind it.
                }
                batch.failed(failure.at, failure.fault, failure.reason);
                from = failure.at + 1;
            } else if (end - from == 1) {
                batch.failed(from, failure.fault, failure.reason);
                return;
            } else {
                int middle = (from + end) >>> 1;
                send(from, middle);
                from = middle;
            }
        }
    }

    /** Sends everything sendable of this part and commits. Returns nothing when that worked, or when the deadline has passed. */
    private @Nullable Failure transaction(int from, int end) throws BrokenLinkException {
        int at = from;
        try (var watch = endpoint.watchdog().over(link, timeout)) {
            for (; at < end && !deadline.hasPassed(); at++) {
                if (batch.isSendable(at)) {
                    send(batch.message(at));
                }
            }
            if (deadline.hasPassed()) {
                link.rollback();
                return null;
            }
            link.commit();
        } catch (JMSException | RuntimeException e) {
            return new Failure(at, faultOf(e), endpoint.name() + " refuses it: " + JmsFault.line(e));
        }
        batch.accepted(from, end);
        return null;
    }

    private void send(Envelope message) throws JMSException {
        MessageProducer producer = producers.get(message.destination());
        if (producer != null) {
            producer.send(encoded(message));
        }
    }

    /** An error here is the message's, and refused like what the client refuses. */
    private Message encoded(Envelope message) throws JMSException {
        try {
            return messages.write(link.session(), message);
        } catch (StackOverflowError | LinkageError e) {
            throw new MessageFormatException(Outcome.notEncodable(e).reason());
        }
    }

    /** Undoes the transaction. A connection that is broken is nobody's fault, and the end of the batch. */
    private JmsFault faultOf(Exception e) throws BrokenLinkException {
        JmsFault fault = link.isBroken() ? JmsFault.BROKEN : JmsFault.of(e);
        if (fault == JmsFault.BROKEN || !link.answersToRollback()) {
            throw new BrokenLinkException(
                    link.isAbandoned()
                            ? endpoint.name() + " did not respond within " + timeout.toSeconds() + " s."
                            : endpoint.whyLost(e),
                    e);
        }
        return fault;
    }

    @Override
    public void close() {
        for (MessageProducer producer : producers.values()) {
            try {
                producer.close();
            } catch (JMSException | RuntimeException e) {
                // Then the connection is broken, and the next batch finds that out.
            }
        }
    }

    /**
     * @param at the message that could not be sent; the end of the part when it was the commit that failed
     */
    private record Failure(int at, JmsFault fault, String reason) {}
}
