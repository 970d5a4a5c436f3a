package io.waybill.testkit.contract.transport;

import io.waybill.testkit.services.host.TcpProxy;
import io.waybill.transport.Transport;

/**
 * A real broker, at a port of this machine.
 *
 * @param <T> the transport: a {@code Broker} where messages can be received
 */
public interface BrokerFixture<T extends Transport> extends RefusingFixture<T> {

    /** Opens the transport to the broker at this port of this machine: the broker's own, or a proxy's. */
    T open(int port);

    /** The port of the broker. */
    int port();

    @Override
    default T open() {
        return open(port());
    }

    /** Something to cut the connections of this broker with, which none of its clients gets past. */
    default TcpProxy proxy() {
        return TcpProxy.to(port());
    }
}
