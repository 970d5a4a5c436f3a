package io.waybill.testkit.contract.transport;

import io.waybill.transport.Delivery;
import io.waybill.transport.Transport;
import java.util.List;

/**
 * Where a transport leads to, for its contracts, and a way to look there that does not use the transport. The same one during a
 * test.
 *
 * @param <T> the transport: a {@code Broker} where messages can be received
 */
public interface TransportFixture<T extends Transport> {

    T open();

    /** Makes a topic, queue or endpoint that exists nowhere yet, and gives the destination of its messages. */
    String newDestination();

    /** Everything the destination holds, in its order, read with the broker's own client: repetitions included. */
    List<Delivery> contents(String destination);
}
