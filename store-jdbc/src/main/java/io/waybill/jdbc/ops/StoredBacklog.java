package io.waybill.jdbc.ops;

import io.waybill.observe.WaitingItem;
import io.waybill.store.admin.DestinationStats;
import java.util.List;

/**
 * What a database has to do, seen in one look.
 *
 * @param destinations the messages that are not published yet, by destination
 * @param waiting these and everything else that waits
 */
public record StoredBacklog(List<DestinationStats> destinations, List<WaitingItem> waiting) {

    public StoredBacklog {
        destinations = List.copyOf(destinations);
        waiting = List.copyOf(waiting);
    }
}
