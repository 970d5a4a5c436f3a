package io.waybill.transport;

/** A transport from which messages can also be received. */
public interface Broker extends Transport {

    /**
     * Starts to receive. What cannot work is said here: no such queue, a wrong password, an order that the broker cannot keep.
     *
     * @return to stop it: closing waits for the batch that is being received
     */
    Subscription subscribe(SubscriptionOptions options, Receiver receiver);

    /** Whether messages of one key stay in order although several consumers of a subscription take messages at once. */
    default boolean keepsOrderAmongConsumers() {
        return true;
    }
}
