package io.waybill.rabbitmq.connection;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections. The client's automatic recovery is switched off: it would reopen channels behind our back, and numbers of
 * unconfirmed and unacknowledged messages mean nothing on another channel. Who needs a connection opens the next one.
 */
public final class Connector implements AutoCloseable {

    private final ConnectionFactory factory;
    private final List<Address> addresses;
    private final String name;
    private final Set<AmqpLink> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Connector(ConnectionFactory factory, List<Address> addresses, String name) {
        this.factory = factory.clone();
        this.factory.setAutomaticRecoveryEnabled(false);
        this.factory.setTopologyRecoveryEnabled(false);
        this.addresses = List.copyOf(addresses);
        this.name = name;
    }

    public static Connector with(ConnectionFactory factory) {
        var address = new Address(factory.getHost(), factory.getPort());
        String name = (factory.isSSL() ? AmqpUrl.TLS : AmqpUrl.PLAIN) + "://" + address + " (virtual host "
                + factory.getVirtualHost() + ")";
        return new Connector(factory, List.of(address), name);
    }

    /**
     * A new connection, or why there is none.
     *
     * @param purpose what it is shown as among the broker's connections
     */
    public AmqpLink connect(String purpose) throws AmqpProblem {
        if (closed) {
            throw AmqpProblem.away("The transport to " + name + " has been closed.");
        }
        var socket = new AtomicReference<@Nullable Socket>();
        ConnectionFactory own = factory.clone();
        own.setSocketConfigurator(factory.getSocketConfigurator().andThen(socket::set));
        try {
            Connection connection = own.newConnection(addresses, "waybill " + purpose);
            var link = new AmqpLink(connection, socket.get(), name);
            open.add(link);
            connection.addShutdownListener(cause -> open.remove(link));
            if (closed) {
                link.close();
            }
            return link;
        } catch (IOException | TimeoutException | RuntimeException e) {
            throw AmqpProblem.connecting(name, factory.getUsername(), e);
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(AmqpLink::close);
    }

    /** Where it connects to, for people. */
    @Override
    public String toString() {
        return name;
    }
}
