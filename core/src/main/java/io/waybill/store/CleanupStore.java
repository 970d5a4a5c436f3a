package io.waybill.store;

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
     * Removes the oldest of them, after they have been archived.
     *
     * @return how many; fewer than the limit when no more are left
     */
    int removeDispatched(Duration olderThan, int limit, Archive archive);

    /** How many inbox rows are older than this. */
    long countHandled(Duration olderThan);

    /** Forgets some of them: a message that arrives again after that is handled again. */
    int removeHandled(Duration olderThan, int limit);
}
