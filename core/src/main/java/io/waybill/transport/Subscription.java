package io.waybill.transport;

/** A subscription that is under way. */
public interface Subscription extends AutoCloseable {

    /** Takes nothing more from the broker, waits for the batch that is being received, and acknowledges it. */
    @Override
    void close();
}
