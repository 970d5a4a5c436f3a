package io.waybill.observe;

import io.waybill.message.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Is notified of what an application left in its outbox, once that is committed. Every method does nothing unless it is overridden.
 *
 * <p>A connection that the caller commits does not say when: what is appended there is not told, rather than told and rolled
 * back.
 *
 * <p><i>Threads:</i> called on the thread that committed, after the commit: be quick. What it throws is logged and changes nothing.
 */
public interface OutboxListener {

    /** Listens to nothing. */
    OutboxListener NONE = new OutboxListener() {};

    /** Notifies this one and then another. */
    default OutboxListener and(OutboxListener other) {
        return this == NONE ? other : new CompositeOutboxListener(this, other);
    }

    /** Headers for every message that is appended now on this thread, unless the message has them: the context of a trace. */
    default Map<String, String> context() {
        return Map.of();
    }

    /** The same for something that begins now and lasts longer than a message, such as a process; it may begin a trace where there is none. */
    default Map<String, String> begun(String what) {
        return context();
    }

    /** These messages were appended with one call, in this order. */
    default void appended(List<Envelope> messages) {}

    /** A message was scheduled, to be appended after this time. */
    default void scheduled(Envelope message, Duration delay) {}
}
