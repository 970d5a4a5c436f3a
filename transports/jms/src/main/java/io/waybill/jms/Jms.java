package io.waybill.jms;

import io.waybill.WaybillException;
import io.waybill.jms.client.ArtemisClient;
import io.waybill.jms.client.IbmMqClient;
import io.waybill.jms.client.IbmMqSettings;
import io.waybill.jms.client.JmsEndpoint;
import io.waybill.jms.client.JmsLibraries;
import io.waybill.jms.client.JmsMessages;
import io.waybill.jms.client.JmsProduct;
import io.waybill.jms.client.QueueNames;
import io.waybill.jms.client.RequiredQueues;
import io.waybill.jms.publish.JmsPublisher;
import io.waybill.jms.receive.JmsSubscription;
import io.waybill.transport.Broker;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.Transports;
import io.waybill.transport.wire.WireFormat;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Any broker with a JMS 3.1 client. A destination is a queue, by its name or by {@link QueueNames}.
 *
 * <p><i>Threads:</i> safe; every publisher and every receiving thread has a connection of its own. The {@code with} methods return
 * another view of the same broker: closing one closes all.
 */
public final class Jms implements Broker {

    private static final Logger log = LoggerFactory.getLogger(Jms.class);

    /** How long one transaction may take, from its first message to the broker's answer. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final JmsEndpoint endpoint;
    private final QueueNames names;
    private final Duration timeout;
    private final boolean groups;

    private Jms(JmsEndpoint endpoint, QueueNames names, Duration timeout, boolean groups) {
        this.endpoint = endpoint;
        this.names = names;
        this.timeout = timeout;
        this.groups = groups;
    }

    private static Jms at(JmsEndpoint endpoint) {
        return new Jms(
                endpoint,
                QueueNames.AS_GIVEN,
                DEFAULT_TIMEOUT,
                endpoint.product().keepsGroups());
    }

    /** A broker by a factory of one's own, which stays one's own to close. */
    public static Jms with(ConnectionFactory factory) {
        return at(new JmsEndpoint(JmsProduct.of(factory), factory, () -> {}));
    }

    /** Artemis by the URL of its client, e.g. {@code tcp://localhost:61616}; it may have parameters of Artemis. */
    public static Jms artemis(String url) {
        return artemis(url, "", "");
    }

    public static Jms artemis(String url, String user, String password) {
        JmsLibraries.require(
                "Artemis",
                "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory",
                "org.apache.artemis:artemis-jakarta-client");
        return at(ArtemisClient.at(url, user, password));
    }

    /** IBM MQ, in client mode. */
    public static Jms ibmMq(IbmMqSettings settings) {
        JmsLibraries.require(
                "IBM MQ", "com.ibm.mq.jakarta.jms.MQConnectionFactory", "com.ibm.mq:com.ibm.mq.jakarta.client");
        return at(IbmMqClient.at(settings));
    }

    /** How a destination becomes the name of a queue; without this it is that name. */
    public Jms withQueueNames(QueueNames names) {
        return new Jms(endpoint, names, timeout, groups);
    }

    /** How long one transaction may take before the broker counts as away. */
    public Jms withTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new WaybillException("timeout (" + timeout + ") must be longer than zero.");
        }
        return new Jms(endpoint, names, timeout, groups);
    }

    /**
     * Says that this broker gives all messages of one {@code JMSXGroupID} to one consumer, which is what an ordered subscription
     * with several threads needs. Known of Artemis and ActiveMQ; not so on IBM MQ.
     */
    public Jms withMessageGroups() {
        return new Jms(endpoint, names, timeout, true);
    }

    /**
     * Connects and checks that these queues exist, given as destinations. Says which do not and how to define them, all at once.
     * An Artemis that creates queues by itself creates them here.
     */
    public Jms requireQueues(String... destinations) {
        RequiredQueues.check(
                endpoint, List.of(destinations).stream().map(names::of).toList());
        return this;
    }

    /** The same; a broker that is away is only a warning, because messages wait for it. */
    public void requireQueuesIfReachable(Collection<String> destinations) {
        try {
            requireQueues(destinations.toArray(String[]::new));
        } catch (WaybillException e) {
            if (e.getCause() == null) {
                throw e;
            }
            log.warn("WB-602 {}", e.getMessage());
        }
    }

    /** The same for settings that name a broker by its URL. */
    public static void requireQueuesIfReachable(String url, Collection<String> destinations) {
        try (Transport transport = Transports.open(url)) {
            if (transport instanceof Jms broker) {
                broker.requireQueuesIfReachable(destinations);
            }
        }
    }

    @Override
    public Publisher publisher(String relay, WireFormat format) {
        return new JmsPublisher(endpoint, names, new JmsMessages(format), timeout);
    }

    /** JMS has no fencing. What a relay had sent and not committed is rolled back; a commit under way may still arrive. */
    @Override
    public void fence(String relay) {}

    /** Message groups do it, where the provider has them. */
    @Override
    public boolean keepsOrderAmongConsumers() {
        return groups;
    }

    @Override
    public Subscription subscribe(SubscriptionOptions options, Receiver receiver) {
        if (options.ordered() && options.concurrency() > 1 && !groups) {
            throw new WaybillException("The subscription to '" + options.source() + "' is ordered with concurrency "
                    + options.concurrency() + ", but " + endpoint.name()
                    + " does not keep the messages of one key with one consumer. Use concurrency 1, or unordered(),"
                    + " or withMessageGroups() if you know better.");
        }
        String queue = names.of(options.source());
        endpoint.warnOfUnlimitedBackout(queue);
        return JmsSubscription.start(endpoint, queue, options, receiver);
    }

    @Override
    public void close() {
        endpoint.close();
    }

    @Override
    public String toString() {
        return endpoint.name();
    }
}
