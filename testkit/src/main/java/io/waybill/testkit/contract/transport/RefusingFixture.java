package io.waybill.testkit.contract.transport;

import io.waybill.message.Envelope;
import io.waybill.transport.Transport;

/**
 * A broker that does not take everything.
 *
 * @param <T> the transport: a {@code Broker} where messages can be received
 */
public interface RefusingFixture<T extends Transport> extends TransportFixture<T> {

    /** A destination for which nothing was made. */
    String missingDestination();

    /** The message made into one that the broker refuses for what it is: too large, unroutable. */
    Envelope refusable(Envelope message);
}
