package io.waybill.transport;

import java.util.List;

/**
 * Receives the deliveries of a broker.
 *
 * <p><i>Threads:</i> called by as many threads at once as the subscription has concurrency. Deliveries of one queue that keeps
 * order, or of one Kafka partition, come one batch after the other.
 */
@FunctionalInterface
public interface Receiver {

    /**
     * Takes the batch, in the order of delivery. When it returns, every message is acknowledged: what could not be handled has
     * been stored where it is not lost. When it throws, nothing is acknowledged, and all of it is delivered again after a
     * pause.
     */
    void receive(List<Delivery> batch) throws Exception;

    /**
     * The subscription closes: begins nothing more. A batch that is being received is thrown back, except for the message that is being
     * handled.
     */
    default void stop() {}
}
