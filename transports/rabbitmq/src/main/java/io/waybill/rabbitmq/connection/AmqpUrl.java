package io.waybill.rabbitmq.connection;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import io.waybill.transport.TransportUrl;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/** What {@code amqp://user:password@host:port,host:port/vhost?name=value} says. */
public final class AmqpUrl {

    public static final String PLAIN = "amqp";
    public static final String TLS = "amqps";

    private static final String EXCHANGE = "exchange";
    private static final String IN_FLIGHT = "in-flight";
    private static final String CONFIRM_TIMEOUT = "confirm-timeout";
    private static final String CONNECT_TIMEOUT = "connect-timeout";
    private static final String HEARTBEAT = "heartbeat";
    private static final String SINGLE_ACTIVE_CONSUMER = "single-active-consumer";
    private static final String SEND_KEY = "send-key";

    /** Short enough that a relay is not held up by a broker that does not answer. */
    private static final int DEFAULT_CONNECT_TIMEOUT = 5;

    /** A broker that vanished without a word is noticed after two of them. */
    private static final int DEFAULT_HEARTBEAT = 10;

    private AmqpUrl() {}

    public static RabbitMqOptions options(TransportUrl url) {
        RabbitMqOptions defaults = RabbitMqOptions.DEFAULT;
        return new RabbitMqOptions(
                url.parameter(EXCHANGE, defaults.exchange()),
                number(url, IN_FLIGHT, defaults.inFlight()),
                Duration.ofSeconds(number(
                        url, CONFIRM_TIMEOUT, (int) defaults.confirmTimeout().toSeconds())),
                truth(url, SINGLE_ACTIVE_CONSUMER),
                truth(url, SEND_KEY));
    }

    public static Connector connector(TransportUrl url) {
        url.allowParameters(
                EXCHANGE, IN_FLIGHT, CONFIRM_TIMEOUT, CONNECT_TIMEOUT, HEARTBEAT, SINGLE_ACTIVE_CONSUMER, SEND_KEY);
        if (url.hosts().isEmpty()) {
            throw new WaybillException(url + " names no host. Write for example amqp://localhost.");
        }
        return new Connector(factory(url), addresses(url), name(url));
    }

    private static ConnectionFactory factory(TransportUrl url) {
        var factory = new ConnectionFactory();
        if (!url.user().isEmpty()) {
            factory.setUsername(url.user());
            factory.setPassword(url.password());
        }
        if (!url.path().isEmpty()) {
            factory.setVirtualHost(url.path());
        }
        int patience = Math.toIntExact(Duration.ofSeconds(number(url, CONNECT_TIMEOUT, DEFAULT_CONNECT_TIMEOUT))
                .toMillis());
        factory.setConnectionTimeout(patience);
        factory.setHandshakeTimeout(patience);
        factory.setChannelRpcTimeout(patience);
        factory.setRequestedHeartbeat(number(url, HEARTBEAT, DEFAULT_HEARTBEAT));
        factory.setThreadFactory(AmqpUrl::daemon);
        if (url.scheme().equals(TLS)) {
            encrypt(factory);
        }
        return factory;
    }

    /** A program ends when its own threads do. */
    private static Thread daemon(Runnable work) {
        var thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    /** With the certificates this JVM trusts, for the host that was asked for. */
    private static void encrypt(ConnectionFactory factory) {
        try {
            factory.useSslProtocol(SSLContext.getDefault());
            factory.enableHostnameVerification();
        } catch (NoSuchAlgorithmException e) {
            throw new WaybillException("This JVM has no TLS: " + e.getMessage(), e);
        }
    }

    private static List<Address> addresses(TransportUrl url) {
        var addresses = new ArrayList<Address>();
        for (String host : url.hosts()) {
            Address address = Address.parseAddress(host);
            addresses.add(address.getPort() >= 0 ? address : new Address(address.getHost(), defaultPort(url)));
        }
        return addresses;
    }

    private static int defaultPort(TransportUrl url) {
        return url.scheme().equals(TLS)
                ? ConnectionFactory.DEFAULT_AMQP_OVER_SSL_PORT
                : ConnectionFactory.DEFAULT_AMQP_PORT;
    }

    /** For people: where, without parameters. */
    private static String name(TransportUrl url) {
        return new TransportUrl(url.scheme(), url.user(), "", url.hosts(), url.path(), Map.of()).toString();
    }

    private static int number(TransportUrl url, String parameter, int otherwise) {
        String value = url.parameter(parameter, Integer.toString(otherwise));
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new WaybillException(parameter + " (" + SecretMask.value(value) + ") in " + url
                + " must be a whole number above 0; times are in seconds.");
    }

    private static boolean truth(TransportUrl url, String parameter) {
        String value = url.parameter(parameter, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new WaybillException(
                    parameter + " (" + SecretMask.value(value) + ") in " + url + " must be true or false.");
        }
        return value.equals("true");
    }
}
