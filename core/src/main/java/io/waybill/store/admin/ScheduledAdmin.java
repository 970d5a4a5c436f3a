package io.waybill.store.admin;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Messages for later, until a relay appends them to the outbox. {@code io.waybill.ops.ScheduledOperations} makes whole operations of
 * these steps.
 *
 * <p><i>Transaction:</i> every method commits by itself. A message that a relay appends at the same time is left alone.
 */
public interface ScheduledAdmin {

    /**
     * Messages in the order of their time, behind this position. Their payloads and headers are not read and empty here: {@link #find}
     * reads one.
     */
    List<ScheduledMessage> list(ScheduledMessage.Position after, int limit);

    Optional<ScheduledMessage> find(UUID id);

    /**
     * Makes these due now, so that the next relay appends them.
     *
     * @return how many of them were scheduled
     */
    int makeDue(Collection<UUID> ids);

    /**
     * Moves these to the outbox as discarded, where they stay with the reason until the cleanup.
     *
     * @return how many of them were scheduled
     */
    int discard(Collection<UUID> ids, String reason);
}
