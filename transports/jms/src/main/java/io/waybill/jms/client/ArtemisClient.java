package io.waybill.jms.client;

import io.waybill.WaybillException;
import io.waybill.transport.TransportUrl;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** All that touches classes of Artemis. */
public final class ArtemisClient {

    /** How the names of its exceptions begin. */
    static final String EXCEPTIONS = "org.apache.activemq.artemis.api.core.ActiveMQ";

    /** How long one request may take, where the URL does not say. */
    private static final long CALL_TIMEOUT_MILLIS = 10_000;

    /**
     * How much a consumer holds in advance, where the URL does not say. Not much: what it holds when its connection breaks counts as
     * delivered once more, and after ten of those Artemis puts a message aside.
     */
    private static final int CONSUMER_WINDOW_BYTES = 16 * 1024;

    /** One of the servers in a URL without parameters, which may name several: {@code (tcp://one:61616,tcp://two:61616)}. */
    private static final Pattern SERVER = Pattern.compile("tcp://([^,)/#]*)");

    private ArtemisClient() {}

    public static JmsEndpoint at(String url, String user, String password) {
        String address = url.replaceAll("\\?[^,)]*", "");
        SERVER.matcher(address).results().forEach(server -> TransportUrl.hostsIn(address, server.group(1)));
        boolean tls = url.contains("sslEnabled=true");
        ActiveMQConnectionFactory factory = factory(url, address, user, password);
        return new JmsEndpoint(
                "Artemis at " + address + (tls ? " (TLS)" : ""),
                tls
                        ? "Is it up, does this port speak TLS, and is its certificate trusted?"
                        : "Is it up, and is this the port? If the port speaks TLS, say so: tls=true in a jms+artemis URL,"
                                + " sslEnabled=true in one of Artemis.",
                JmsProduct.ARTEMIS,
                factory,
                factory::close,
                queue -> OptionalInt.empty());
    }

    private static ActiveMQConnectionFactory factory(String url, String address, String user, String password) {
        ActiveMQConnectionFactory factory;
        try {
            factory = new ActiveMQConnectionFactory(url);
        } catch (RuntimeException e) {
            // Its message has the whole URL, and with it the passwords of key stores.
            throw new WaybillException("'" + address + "' with its parameters is no URL of Artemis."
                    + " Write for example tcp://localhost:61616?callTimeout=10000.");
        }
        if (!user.isEmpty()) {
            factory.setUser(user);
            factory.setPassword(password);
        }
        // A link that broke is replaced, never repaired: a session that reconnects by itself forgets which transaction
        // it
        // was in.
        factory.setReconnectAttempts(0);
        factory.setInitialConnectAttempts(1);
        if (!url.contains("callTimeout=")) {
            factory.setCallTimeout(CALL_TIMEOUT_MILLIS);
        }
        if (!url.contains("consumerWindowSize=")) {
            factory.setConsumerWindowSize(CONSUMER_WINDOW_BYTES);
        }
        return factory;
    }

    /** Nothing where the connection has to tell: if it still works, it was the message. */
    static Optional<JmsFault> fault(Throwable e) {
        return switch (((ActiveMQException) e).getType()) {
            case QUEUE_DOES_NOT_EXIST,
                    ADDRESS_DOES_NOT_EXIST,
                    SECURITY_EXCEPTION,
                    CLUSTER_SECURITY_EXCEPTION,
                    UNEXPECTED_ROUTING_TYPE_FOR_ADDRESS,
                    MAX_CONSUMER_LIMIT_EXCEEDED,
                    INCOMPATIBLE_CLIENT_SERVER_VERSIONS -> Optional.of(JmsFault.MISCONFIGURED);
            case ADDRESS_FULL -> Optional.of(JmsFault.UNAVAILABLE);
            case NOT_CONNECTED,
                    CONNECTION_TIMEDOUT,
                    DISCONNECTED,
                    REMOTE_DISCONNECT,
                    UNBLOCKED,
                    OBJECT_CLOSED,
                    SESSION_CREATION_REJECTED,
                    TRANSACTION_ROLLED_BACK,
                    TRANSACTION_OUTCOME_UNKNOWN,
                    TRANSACTION_TIMEOUT,
                    SHUTDOWN_ERROR,
                    REPLICATION_TIMEOUT_ERROR,
                    TIMEOUT_EXCEPTION -> Optional.of(JmsFault.BROKEN);
            default -> Optional.empty();
        };
    }
}
