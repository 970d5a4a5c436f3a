package io.waybill.transport;

import io.waybill.message.Envelope;
import io.waybill.transport.wire.WireFormat;
import java.util.List;

/**
 * Where messages can be sent: a broker, an endpoint, a file. Opened by a {@link TransportUrl}, or by the class of a transport module
 * with your own settings.
 *
 * <p><i>Threads:</i> safe; each relay has its own {@link Publisher}s. Opening does not wait for the broker: one that is not
 * available gives {@link Outcome.Unavailable} when something is published.
 */
public interface Transport extends AutoCloseable {

    /**
     * A way to send, for one relay and line.
     *
     * @param relay the name of the relay, which {@link #fence} is given when others take over from it
     */
    Publisher publisher(String relay, WireFormat format);

    /**
     * Messages of destinations with the same line go together, in one {@link Publisher#publish}, and wait for each other.
     * Destinations that have nothing to do with each other, such as the endpoints of webhooks, have lines of their own, each
     * with its own publisher, so that a slow one holds up nobody else.
     */
    default String lineTo(String destination) {
        return "";
    }

    /**
     * Makes sure that nothing which this relay had handed over can still arrive. Called when another relay has taken over from
     * one that stopped answering, before it sends. Where a broker cannot do this the transport says so in its documentation, and
     * does nothing: what can still arrive is then the one request that was under way.
     */
    void fence(String relay);

    @Override
    void close();

    /** A transport of one publisher that any number of threads may use, and that has nothing to fence. */
    static Transport of(Publisher publisher) {
        return new Transport() {
            @Override
            public Publisher publisher(String relay, WireFormat format) {
                // Closed with the transport, not with the relay.
                return new Publisher() {
                    @Override
                    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
                        return publisher.publish(batch, deadline);
                    }

                    @Override
                    public void shardsTaken() {
                        publisher.shardsTaken();
                    }
                };
            }

            @Override
            public void fence(String relay) {}

            @Override
            public void close() {
                publisher.close();
            }
        };
    }
}
