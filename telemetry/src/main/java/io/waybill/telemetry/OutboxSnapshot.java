package io.waybill.telemetry;

import io.waybill.observe.WaitingItem;
import io.waybill.store.admin.DestinationStats;
import java.util.List;

/**
 * What an outbox held when it was looked at last.
 *
 * @param waiting what waits, the usual and the unusual
 */
public record OutboxSnapshot(List<DestinationStats> outbox, List<WaitingItem> waiting) {

    /** Nothing was looked at yet. */
    public static final OutboxSnapshot NONE = new OutboxSnapshot(List.of(), List.of());
}
