package io.waybill.relay;

import io.waybill.Time;
import io.waybill.relay.publish.BatchSender;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages of unclean shards whose attempt was written before they were sent, until they have been answered or handled.
 *
 * <p><i>Threads:</i> the relay's own.
 */
final class NotedAttempts {

    /** How long a handler has the process for itself: one that ends it does so soon, and one that is slow holds up no other for longer. */
    static final Duration ALONE = Duration.ofSeconds(2);

    private final OutboxStore store;
    private final BatchSender sender;
    private final Time time;

    /** By their ids, with the lease under which the attempt was written. */
    private final Map<UUID, Lease> underWay = new HashMap<>();

    /** The one that a handler was given last: with several at once, those that do nothing would be blamed for the one that ends the process. */
    private @Nullable UUID handled;

    private Time.Stopwatch sinceHandled;

    NotedAttempts(OutboxStore store, BatchSender sender, Time time) {
        this.store = store;
        this.sender = sender;
        this.time = time;
        this.sinceHandled = time.stopwatch();
    }

    /** Writes the attempt; false when the message is another relay's by now, or still with one. */
    boolean note(Lease lease, ClaimedMessage message) {
        return store.noteAttempt(
                lease, message, message.attempts() + 1, "The relay ended while it was sending this message.");
    }

    void sent(Lease lease, ClaimedMessage message) {
        underWay.put(message.envelope().id(), lease);
    }

    /** A handler in this process was given the message. */
    void handed(ClaimedMessage message) {
        handled = message.envelope().id();
        sinceHandled = time.stopwatch();
    }

    /** Whether a handler has to be through with another message first, or to have been at it for a while. */
    boolean holdUp(Lane lane) {
        return handled != null && !sinceHandled.hasReached(ALONE) && sender.isHandled(lane);
    }

    /**
     * Its broker has answered, or its handler is through.
     *
     * @param settled false when that says nothing about the messages, as when the broker or the database is away: no attempt is used
     */
    void answered(List<ClaimedMessage> messages, boolean settled) {
        if (underWay.isEmpty()) {
            return;
        }
        for (ClaimedMessage message : messages) {
            UUID id = message.envelope().id();
            Lease lease = underWay.remove(id);
            if (lease != null && !settled) {
                store.noteAttempt(lease, message, message.attempts(), "");
            }
            if (id.equals(handled)) {
                handled = null;
            }
        }
    }
}
