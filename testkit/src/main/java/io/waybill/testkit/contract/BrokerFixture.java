package io.waybill.testkit.contract;

import io.waybill.message.Envelope;
import io.waybill.testkit.services.TcpProxy;
import io.waybill.transport.Delivery;
import io.waybill.transport.Transport;
import java.util.List;
import java.util.Optional;

/**
 * A real broker for a transport's contracts, and a way to look into it that does not use the transport.
 *
 * @param <T> the transport: a {@code Broker} where messages can be received
 */
public interface BrokerFixture<T extends Transport> {

    /** The port of a broker in this process: there is no connection to cut. */
    int IN_PROCESS = 0;

    /** Opens the transport to the broker at this port of this machine: the broker's own, or a proxy's. */
    T open(int port);

    /** The port of the broker. */
    int port();

    /** Something to cut the connections of this broker with, which none of its clients gets past. */
    default TcpProxy proxy() {
        return TcpProxy.to(port());
    }

    /** Makes a topic, queue or endpoint that exists nowhere yet, and gives the destination of its messages. */
    String newDestination();

    /** Everything the destination holds, in its order, read with the broker's own client: repetitions included. */
    List<Delivery> contents(String destination);

    /** A destination for which nothing was made, if a broker can tell: nothing where any name will do. */
    Optional<String> missingDestination();

    /** The message made into one that the broker refuses for what it is (too large, unroutable); nothing where it takes all. */
    Optional<Envelope> refusable(Envelope message);
}
