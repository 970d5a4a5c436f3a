package io.waybill.store.admin;

import java.time.Duration;

/**
 * Removes what is over, in steps of bounded size. {@code io.waybill.ops.Cleanup} makes whole operations of them.
 *
 * <p><i>Transaction:</i> every method commits by itself. Rows that somebody else is removing are passed over.
 */
public interface CleanupStore {

    /** How many messages were dispatched or discarded longer ago than this. */
    long countDispatched(Duration olderThan);

    /**
     * Removes some of them, after they have been archived.
     *
     * @param after where the last step left off; zero to begin
     * @param limit how many messages to look at, at most
     */
    Batch removeDispatched(Duration olderThan, long after, int limit, Archive archive);

    /** How many inbox rows are older than this. */
    long countHandled(Duration olderThan);

    /** Forgets some of them: a message that arrives again after that is handled again. */
    int removeHandled(Duration olderThan, int limit);

    /**
     * What one step did.
     *
     * @param removed how many it removed
     * @param position where the next step goes on
     */
    record Batch(int removed, long position, boolean hasMore) {}
}
