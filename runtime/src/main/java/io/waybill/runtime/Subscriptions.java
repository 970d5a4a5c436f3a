package io.waybill.runtime;

import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.Subscribers;
import io.waybill.transport.Broker;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transports;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handlers of an instance, and what brings them their messages. Closing stops them all at the same time, then closes the brokers. */
final class Subscriptions implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Subscriptions.class);

    private final Subscribers subscribers;
    private final ReceivingOptions options;
    private final Duration closeTimeout;
    private final List<Opened> opened = new CopyOnWriteArrayList<>();
    private final Map<String, Broker> brokers = new HashMap<>();

    /** @param closeTimeout how long closing waits for what is being handled */
    Subscriptions(Subscribers subscribers, ReceivingOptions options, Duration closeTimeout) {
        this.subscribers = subscribers;
        this.options = options;
        this.closeTimeout = closeTimeout;
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
        opened.add(new Opened(what, subscription));
        return subscription;
    }

    /** The broker at this URL, opened once. */
    synchronized Broker broker(String url) {
        return brokers.computeIfAbsent(url, Transports::openBroker);
    }

    /** The subscriptions that do not receive at present, and why. */
    Map<String, String> problems() {
        var problems = new TreeMap<String, String>();
        opened.forEach(one -> one.subscription
                .problem()
                .ifPresent(problem -> problems.put(one.what.group() + " from " + one.what.source(), problem)));
        return problems;
    }

    @Override
    public synchronized void close() {
        int closed =
                Subscription.closeAll(opened.stream().map(Opened::subscription).toList(), closeTimeout);
        if (closed < opened.size()) {
            log.warn(
                    "WB-209 {} of {} subscriptions still handle messages after {} (close-timeout). Their transactions"
                            + " commit or roll back as a whole; messages that were not acknowledged are delivered again.",
                    opened.size() - closed,
                    opened.size(),
                    closeTimeout);
        }
        opened.clear();
        brokers.values().forEach(Waybill::closeQuietly);
        brokers.clear();
    }

    private record Opened(SubscriptionOptions what, Subscription subscription) {}
}
