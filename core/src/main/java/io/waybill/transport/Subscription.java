package io.waybill.transport;

/** A subscription that is under way. */
public interface Subscription extends AutoCloseable {

    /**
     * Takes nothing more from the broker, waits for the message that is being handled, and hands back the rest of its batch, which is
     * delivered again.
     */
    @Override
    void close();
}
