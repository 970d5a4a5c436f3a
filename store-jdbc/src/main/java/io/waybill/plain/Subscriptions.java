package io.waybill.plain;

import io.waybill.WaybillException;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.Subscribers;
import io.waybill.transport.Broker;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** The handlers of an instance, and what brings them their messages. Closing stops the last one first. */
final class Subscriptions implements AutoCloseable {

    private final Subscribers subscribers;
    private final ReceivingOptions options;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Map<String, Broker> brokers = new HashMap<>();

    Subscriptions(Subscribers subscribers, ReceivingOptions options) {
        this.subscribers = subscribers;
        this.options = options;
    }

    /** Messages that are appended for a destination of this process. */
    void locally(String destination, Subscriber subscriber) {
        subscribers.add(destination, subscriber, options);
    }

    /** Messages from a broker, and those that are tried again after they failed. */
    Subscription from(Broker broker, SubscriptionOptions what, Subscriber subscriber) {
        return from(broker, what, subscribers.receiver(what.source(), subscriber, options));
    }

    Subscription from(String url, SubscriptionOptions what, Subscriber subscriber) {
        return from(broker(url), what, subscriber);
    }

    synchronized Subscription from(Broker broker, SubscriptionOptions what, Receiver receiver) {
        Subscription subscription = broker.subscribe(what, receiver);
        opened.push(subscription);
        return subscription;
    }

    /** The broker at this URL, opened once. */
    synchronized Broker broker(String url) {
        return brokers.computeIfAbsent(url, this::open);
    }

    private Broker open(String url) {
        Transport transport = Transports.open(url);
        opened.push(transport);
        if (transport instanceof Broker broker) {
            return broker;
        }
        throw new WaybillException(
                "Messages can be sent to " + url.replaceFirst(":.*", ":...")
                        + " but not received from there. Subscribe to a broker: kafka://, amqp://, jms+artemis://, jms+ibmmq://.");
    }

    @Override
    public synchronized void close() {
        opened.forEach(Waybill::closeQuietly);
        opened.clear();
        brokers.clear();
    }
}
