package io.waybill.jms.receive;

import io.waybill.jms.client.JmsEndpoint;
import io.waybill.jms.client.JmsFault;
import io.waybill.jms.client.JmsLink;
import io.waybill.jms.client.JmsMessages;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.SubscriptionState;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives on one thread: take a batch, hand it over, commit.
 *
 * <p>A receiver that fails gets the same batch again from here, while the transaction stays open. To roll back instead would count
 * as a delivery, and after a few of those brokers put a message aside: a database that is away for a minute would empty the queue.
 */
public final class ReceiveLoop implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ReceiveLoop.class);

    /** How long to wait for the first message, and so how long closing may wait for a thread that has nothing to do. */
    private static final long FIRST_MESSAGE_MILLIS = 250;

    private final JmsEndpoint endpoint;
    private final String queue;
    private final SubscriptionOptions options;
    private final Receiver receiver;
    private final Pause pause;
    private final SubscriptionState state;
    private @Nullable JmsLink link;
    private @Nullable MessageConsumer consumer;
    private int limit;

    public ReceiveLoop(
            JmsEndpoint endpoint,
            String queue,
            SubscriptionOptions options,
            Receiver receiver,
            Pause pause,
            SubscriptionState state) {
        this.endpoint = endpoint;
        this.queue = queue;
        this.options = options;
        this.receiver = receiver;
        this.pause = pause;
        this.state = state;
        this.limit = options.batchSize();
    }

    void connect() throws JMSException {
        link = endpoint.connect();
        consumer = link.consumer(queue);
    }

    /** Why nothing can be received: there is no connection, or no longer, or the queue cannot be used. */
    String why(Exception e) {
        if (link == null) {
            return endpoint.whyNotConnected(e);
        }
        return JmsFault.of(e) == JmsFault.MISCONFIGURED ? endpoint.whyNotUsable(queue, e) : endpoint.whyLost(e);
    }

    void disconnect() {
        if (link != null) {
            link.close();
            link = null;
        }
    }

    @Override
    public void run() {
        while (!pause.isStopping()) {
            try {
                if (consumer == null || link == null) {
                    connect();
                }
                receiveFrom(Objects.requireNonNull(link), Objects.requireNonNull(consumer));
            } catch (JMSException | RuntimeException e) {
                state.failed(this, "WB-231", why(e));
                consumer = null;
                disconnect();
                pause.await();
            }
        }
        disconnect();
    }

    private void receiveFrom(JmsLink link, MessageConsumer consumer) throws JMSException {
        link.start();
        state.receives(this);
        while (!pause.isStopping()) {
            List<Delivery> taken = take(link, consumer);
            if (!taken.isEmpty()) {
                handOver(link, taken);
            } else if (link.isBroken()) {
                throw new JMSException("The connection was lost.");
            }
        }
    }

    /**
     * What is there, up to a batch: only the first message is waited for. Each is read before the next one is taken, because the rest
     * of a large message is fetched when it is read, and with the next one Artemis throws it away.
     */
    private List<Delivery> take(JmsLink link, MessageConsumer consumer) throws JMSException {
        var taken = new ArrayList<Delivery>();
        Message next = consumer.receive(FIRST_MESSAGE_MILLIS);
        while (next != null) {
            if (!JmsMessages.isReadable(next)) {
                giveBack(link, next, taken.size());
                return List.of();
            }
            taken.add(JmsMessages.read(options.source(), next));
            next = taken.size() < limit ? consumer.receiveNoWait() : null;
        }
        return taken;
    }

    /** What was before it goes first, by itself. Then it is the broker's: after so many deliveries it is put aside there. */
    private void giveBack(JmsLink link, Message unreadable, int before) throws JMSException {
        log.debug("{} has a message that cannot be read, behind {} others", queue, before);
        link.rollback();
        limit = Math.max(1, before);
        if (before == 0) {
            log.warn(
                    "WB-232 Message {} in {} is neither text nor bytes and cannot be received. Let the broker's"
                            + " redelivery limit remove it, or remove it by hand; the next attempt is in {}.",
                    unreadable.getJMSMessageID(),
                    queue,
                    pause.next());
            pause.await();
        }
    }

    private void handOver(JmsLink link, List<Delivery> batch) throws JMSException {
        while (!isReceived(batch)) {
            if (pause.await() || link.isBroken()) {
                link.rollback();
                return;
            }
        }
        link.commit();
        pause.reset();
        state.receives(this);
        limit = options.batchSize();
    }

    private boolean isReceived(List<Delivery> batch) {
        try {
            receiver.receive(batch);
            return true;
        } catch (Throwable e) {
            // An Error too: it would end this thread without a word, and nothing would be received any more.
            if (pause.isStopping()) {
                log.debug("The receiver of {} stops and hands {} messages back.", queue, batch.size(), e);
                return false;
            }
            state.failed(this, "WB-234", "the receiver failed: " + e);
            log.debug("WB-234", e);
            return false;
        }
    }

    @Override
    public String toString() {
        return queue;
    }
}
