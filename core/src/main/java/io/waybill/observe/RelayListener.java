package io.waybill.observe;

import io.waybill.message.Envelope;
import java.time.Duration;
import java.util.List;

/**
 * Is notified of what a relay did. Every method does nothing unless it is overridden.
 *
 * <p><i>Threads:</i> called on the relay's thread, {@code claimed} before and the others after it is
 * committed: be quick, and do not throw.
 */
public interface RelayListener {

    /** Listens to nothing. */
    RelayListener NONE = new RelayListener() {};

    /** Notifies this one and then another. */
    default RelayListener and(RelayListener other) {
        return this == NONE ? other : new CompositeRelayListener(this, other);
    }

    /** Goes around the publishing of these messages, on the publisher's thread; they are named as the broker gets them. */
    default ObservedCall publishing(List<Envelope> messages) {
        return ObservedCall.NONE;
    }

    /** Goes around the handling of this message in the process, on the handler's thread and in its transaction. */
    default ObservedCall handling(Envelope message) {
        return ObservedCall.NONE;
    }

    /** Messages are about to be sent. */
    default void claimed(List<Envelope> messages) {}

    /** A batch was accepted by its brokers and settled. {@code lag} is the age of its first
     * message, or zero when its id is not of version 7 and does not say. */
    default void published(List<Envelope> messages, Duration lag) {}

    /**
     * That many messages were accepted by their brokers and could not be settled: the database was away, or another relay has their shards by
     * now. They are published a second time.
     */
    default void unsettled(int messages) {}

    /** A message was refused and will be tried again. */
    default void retried(Envelope message, int attempts, String error, Duration delay) {}

    /** A message was refused for the last time. */
    default void failed(Envelope message, int attempts, String error) {}

    /** Messages are held, because an earlier one of their key waits or has failed. */
    default void held(List<Envelope> messages) {}

    /**
     * A destination does not take messages, or an operator has paused it; called again when an outage turns out to be a wrong setup, or the
     * other way round.
     *
     * @param misconfigured whether only a person can fix it
     */
    default void paused(String destination, String reason, boolean misconfigured) {}

    /** A destination takes messages again, or an operator has resumed it. */
    default void resumed(String destination) {}

    /** That many keys were held behind messages that are gone, and were set free. It must not happen: somebody changed rows by hand. */
    default void keysRepaired(int keys) {}

    /** That many shards went to other relays, because this one did not renew its leases in time. */
    default void leasesLost(int lost) {}

    /** A cycle ended with an error of the JVM. The relay gives its shards up, waits a while and begins anew. */
    default void crashed(Throwable error) {}

    /** This relay owns that many shards now. */
    default void leasesChanged(int owned) {}
}
