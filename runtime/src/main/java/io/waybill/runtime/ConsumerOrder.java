package io.waybill.runtime;

import io.waybill.WaybillException;
import io.waybill.transport.Broker;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether several consumers of a broker keep the messages of one key in order. Where they cannot, the number of consumers that was asked for
 * counts, and a warning says what it costs.
 *
 * <p><i>Threads:</i> safe.
 */
public final class ConsumerOrder {

    private static final Logger log = LoggerFactory.getLogger(ConsumerOrder.class);

    private final int consumers;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** Of this many consumers for each topic or queue. */
    public ConsumerOrder(int consumers) {
        this.consumers = consumers;
    }

    /** Whether messages of one key that come from this broker stay in order; of what cannot be opened it is believed. */
    public boolean isKeptBy(String url) {
        if (consumers < 2) {
            return true;
        }
        try (Transport transport = Transports.open(url)) {
            return !(transport instanceof Broker broker) || broker.keepsOrderAmongConsumers();
        } catch (WaybillException e) {
            return true;
        }
    }

    /** The same, with one warning for each broker that does not keep it. */
    public boolean isKeptOrWarned(String url) {
        boolean kept = isKeptBy(url);
        if (!kept && warned.add(url)) {
            log.warn(
                    "WB-607 messaging.consumers.concurrency is {}, but {} keeps the order of a key for one consumer"
                            + " only: messages of one key may be handled concurrently and in any order. Where order matters, set"
                            + " the concurrency to 1 (on RabbitMQ also single-active-consumer=true in the URL).",
                    consumers,
                    TransportUrl.withoutPassword(url));
        }
        return kept;
    }

    /** What one handler receives from there, in order where that can be had. */
    public SubscriptionOptions subscription(String url, String destination, String handler) {
        SubscriptionOptions options =
                SubscriptionOptions.to(destination, handler).concurrency(consumers);
        return isKeptOrWarned(url) ? options : options.unordered();
    }

    /** Why order and several consumers do not go together there. */
    public String refusal(String url) {
        return consumers + " consumers (messaging.consumers.concurrency) cannot keep the order of a key on "
                + TransportUrl.withoutPassword(url)
                + ". Set the concurrency to 1, or on RabbitMQ single-active-consumer=true in the URL, or remove in-order.";
    }
}
