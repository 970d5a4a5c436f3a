package io.waybill.store.inbox;

import io.waybill.store.Transaction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Remembers which handler has handled which message, for good until it is cleaned up. */
public interface InboxStore {

    /**
     * Notes all of them as handled, in the handler's own transaction and with one statement unless some were noted before.
     *
     * <p>A concurrent transaction that has noted one of them is waited for; the rows are written in one order by everybody, so
     * that two batches with the same messages do not wait for each other in a circle.
     *
     * @return those that were not noted before
     */
    Set<InboxEntry> record(Transaction transaction, Collection<InboxEntry> entries);

    /** How much each handler has handled within this time. */
    List<HandlerStats> stats(Transaction transaction, Duration within);
}
