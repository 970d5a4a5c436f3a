package io.waybill.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import io.waybill.rabbitmq.connection.AmqpUrl;
import io.waybill.rabbitmq.connection.Connector;
import io.waybill.rabbitmq.connection.RabbitMqOptions;
import io.waybill.rabbitmq.connection.SharedLink;
import io.waybill.rabbitmq.publish.ConfirmingPublisher;
import io.waybill.rabbitmq.receive.QueueSubscription;
import io.waybill.transport.Broker;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.wire.WireFormat;

/**
 * RabbitMQ, or another broker that speaks AMQP 0-9-1 and confirms what it is given.
 *
 * <p>{@code exchange/routing.key} is a destination; one without a slash is the name of a queue. Every publisher has a
 * connection of its own; the subscriptions share one.
 *
 * <p><i>Threads:</i> safe.
 */
public final class RabbitMq implements Broker {

    private final Connector connector;
    private final RabbitMqOptions options;
    private final SharedLink subscriptions;

    private RabbitMq(Connector connector, RabbitMqOptions options) {
        this.connector = connector;
        this.options = options;
        this.subscriptions = new SharedLink(connector, "subscriptions");
    }

    /** The broker at {@code amqp://user:password@host:port/vhost}, or {@code amqps} with TLS. */
    public static RabbitMq at(String url) {
        return at(TransportUrl.parse(url));
    }

    static RabbitMq at(TransportUrl url) {
        return new RabbitMq(AmqpUrl.connector(url), AmqpUrl.options(url));
    }

    /** With connections as this factory makes them; only its automatic recovery is not used. */
    public static RabbitMq with(ConnectionFactory factory, RabbitMqOptions options) {
        return new RabbitMq(Connector.with(factory), options);
    }

    @Override
    public Publisher publisher(String relay, WireFormat format) {
        return new ConfirmingPublisher(connector, relay, format, options);
    }

    /**
     * AMQP cannot refuse what a frozen relay has written: what can still arrive is the one message that it was about to send
     * when it froze, because the deadline is asked before each.
     */
    @Override
    public void fence(String relay) {}

    /** A single active consumer gets all messages of a queue, and the others wait. */
    @Override
    public boolean keepsOrderAmongConsumers() {
        return options.singleActiveConsumer();
    }

    @Override
    public Subscription subscribe(SubscriptionOptions subscription, Receiver receiver) {
        return QueueSubscription.start(subscriptions, subscription, options.singleActiveConsumer(), receiver);
    }

    /** Ends every connection that is still open. */
    @Override
    public void close() {
        connector.close();
    }

    @Override
    public String toString() {
        return connector.toString();
    }
}
