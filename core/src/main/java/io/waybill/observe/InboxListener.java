package io.waybill.observe;

import io.waybill.message.Envelope;
import java.util.List;

/**
 * Is notified of what became of messages that a broker delivered. Every method does nothing unless it is overridden.
 *
 * <p><i>Threads:</i> called on the receiving threads, {@code received} before and the others after it is committed: be quick.
 * What it throws is logged and changes nothing.
 */
public interface InboxListener {

    /** Listens to nothing. */
    InboxListener NONE = new InboxListener() {};

    /** Notifies this one and then another. */
    default InboxListener and(InboxListener other) {
        return this == NONE ? other : new CompositeInboxListener(this, other);
    }

    /** Goes around the handling of this message from a broker, in the handler's transaction. */
    default ObservedCall handling(Envelope message) {
        return ObservedCall.NONE;
    }

    /** That many messages were delivered to this handler at once. */
    default void received(String handler, int messages) {}

    /** These messages took effect, together. */
    default void handled(String handler, List<Envelope> messages) {}

    /** These messages had been handled before. */
    default void duplicate(String handler, List<Envelope> messages) {}

    /** A message could not be handled and is tried again at once. */
    default void retried(String handler, Envelope message, int attempts, Throwable error) {}

    /** A message failed: it could not be handled, or is behind one of its key that could not. */
    default void failed(String handler, Envelope message, int attempts, Throwable error) {}
}
