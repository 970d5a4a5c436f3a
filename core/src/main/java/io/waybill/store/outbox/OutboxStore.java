package io.waybill.store.outbox;

import io.waybill.message.Envelope;
import io.waybill.store.GoneException;
import io.waybill.store.Transaction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps messages in the order of their insertion and hands them out by lane: one shard, one destination. A shard is a fixed
 * share of all partition keys, computed by the database, so that a row inserted by any program has one.
 *
 * <p><i>Transaction:</i> a method that is given one joins it; everything else commits by itself.
 */
public interface OutboxStore {

    /** How many shards there are. It is written into the tables and never changes. */
    int SHARDS = 64;

    /** Writes the messages in this order. */
    void append(Transaction transaction, List<Envelope> messages);

    /** The same with messages that were tried before: what is known of their attempts stays with them. */
    void appendTried(Transaction transaction, List<TriedMessage> messages);

    /** Keeps the message until its time has come. */
    void schedule(Transaction transaction, Envelope message, Duration delay);

    /** Appends what was scheduled and is due. Returns how many messages that were. */
    int appendScheduled(int limit);

    /** The next number of this key: one more than the last that was committed. Others who ask wait for the transaction. */
    long nextNumber(Transaction transaction, String destination, String partitionKey);

    /** The lanes that may hold something to send; none when nothing is there. */
    Set<Lane> lanes();

    /**
     * The next messages of these lanes, each lane in insertion order. Each gives at most as many as its number says; or those of a
     * destination give at most as many as their numbers say together. A claim writes nothing: the lease on the shard keeps other
     * relays away.
     *
     * @param exclusions what is left out because it is being worked on
     * @param maxBytes how many bytes their payloads may have together; a single message that has more is given alone
     */
    Claim claim(Map<Lane, Integer> limits, ClaimExclusions exclusions, long maxBytes);

    /** A claim while nothing is being worked on. */
    default Claim claim(Map<Lane, Integer> limits, long maxBytes) {
        return claim(limits, ClaimExclusions.NOTHING, maxBytes);
    }

    /**
     * What comes after these messages, which are being sent or settled. It is sent only when every one of them has been accepted or settled,
     * without what has to wait behind one that was refused, and thrown away otherwise; so it is nothing where a claim leaves traces, or
     * where the store cannot be certain that nothing will appear before or between them.
     *
     * @param limits those of the claim that gave them
     * @param underWay all that was claimed and not settled
     */
    Claim prefetch(Map<Lane, Integer> limits, List<ClaimedMessage> underWay, long maxBytes);

    /**
     * Messages of these shards that were refused before and whose time has come, the longest overdue first.
     *
     * @param except destinations to which nothing can be sent now
     * @param maxBytes as in {@link #claim}
     */
    List<ClaimedMessage> claimDue(Collection<Lease> leases, Set<String> except, int limit, long maxBytes);

    /**
     * Writes how often the message has been tried, before it is tried: for messages that may end the process.
     *
     * @return false when the lease has gone to another relay, or a handler elsewhere still holds the message
     */
    boolean noteAttempt(Lease lease, ClaimedMessage message, int attempts, String error);

    /**
     * Takes the messages out of the outbox in the caller's transaction, as handled, and sets free what was held behind those that had
     * been refused before. It is called by what {@link #finish} runs: it locks what relays and operators want to change.
     *
     * @param kept whether they are kept for as long as what was sent, or removed in any case
     * @throws GoneException when one of them is not there any more as it was claimed, or its lease has gone to another relay; perhaps only
     *     when {@code finish} ends
     */
    void take(Transaction transaction, Collection<Lease> leases, List<ClaimedMessage> messages, boolean kept);

    /**
     * Runs what writes into this database by its stores, as the last of a transaction: nothing but its commit may follow. Where that
     * saves round trips the writes themselves come at the end, all at once and with the commit, so that their errors come then too.
     */
    default void finish(Transaction transaction, Runnable writes) {
        writes.run();
    }

    /**
     * Sets keys of these shards free that are blocked by a message which is not there any more, or is over.
     *
     * @return how many
     */
    int repairKeys(Collection<Lease> leases);

    /**
     * Writes what became of a batch, as far as the leases still hold.
     *
     * @return how many messages were settled; fewer than given when a lease has gone to another relay
     */
    int settle(Collection<Lease> leases, Settlements settlements);
}
