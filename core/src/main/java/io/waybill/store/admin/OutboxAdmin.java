package io.waybill.store.admin;

import io.waybill.message.Envelope;
import io.waybill.store.outbox.PausedDestination;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The outbox as an operator sees and changes it, in steps of bounded size. {@code io.waybill.ops.OutboxOperations} makes whole
 * operations of them.
 *
 * <p><i>Transaction:</i> every method commits by itself, all that concerns one key at once. To change a key, lock the
 * lease of its shard first, then the key, then its messages; and what becomes pending again is counted in the lease, so that a
 * relay looks back.
 */
public interface OutboxAdmin {

    /** What waits, by destination; destinations for which nothing waits are left out. */
    List<DestinationStats> stats();

    /** Matching messages in insertion order, behind this position. Their payloads are not read and empty here: {@link #find} reads one. */
    List<StoredMessage> list(Selection selection, long after, int limit);

    /** Of the message that was inserted last and is still there; 0 when there is none. */
    long lastPosition();

    /** How many messages match. */
    long count(Selection selection);

    Optional<StoredMessage> find(UUID id);

    /**
     * Sends matching messages again that were refused, the oldest first, behind this position. The key of each is set free,
     * and what was held behind it follows in the old order.
     *
     * @param note what their history says of it
     */
    Batch replay(Selection selection, String note, long after, int limit);

    /**
     * Sends matching messages to another destination that were refused, the oldest first, behind this position. What was held behind one
     * goes with it, so the key keeps its order there. Retries of failed messages stay, because they are for one handler.
     *
     * @param note what the history of the refused ones says of it
     */
    Batch redirect(Selection selection, String destination, String note, long after, int limit);

    /**
     * Sends a refused message again with another payload or to another destination; the key it leaves is set free.
     *
     * @param note what its history says of it
     * @return false when it is not, or no longer, one that was refused
     */
    boolean replay(Envelope edited, String note);

    /**
     * Gives matching messages up that are not sent yet, the youngest first, before this position: so what is held is gone
     * before the first message of its key would let it go.
     */
    Batch discard(Selection selection, String reason, long before, int limit);

    /**
     * Lets a waiting, parked or blocked key move on, beginning with the message it waits for.
     *
     * @param note what the history of that message says of it
     * @return false when nothing stops the key
     */
    boolean unblock(String destination, String partitionKey, String note);

    /** The destinations that are paused, by name. */
    List<PausedDestination> paused();

    /**
     * Lets no relay send anything to the destination until it is resumed.
     *
     * @return false when it is paused already, and stays so
     */
    boolean pause(String destination, String reason, String operator);

    /**
     * Lets relays send to the destination again.
     *
     * @return false when it is not paused
     */
    boolean resume(String destination);

    /**
     * What one step did.
     *
     * @param changed how many messages it changed
     * @param position of the last message it looked at: where the next step goes on
     * @param hasMore whether there may be more to look at
     */
    record Batch(int changed, long position, boolean hasMore) {}
}
