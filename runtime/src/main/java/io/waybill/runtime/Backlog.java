package io.waybill.runtime;

import java.time.Instant;
import java.util.List;

/**
 * What waits in the database, as it was when it was looked at last.
 *
 * @param relays how many live on these tables, in this process or another: without one nothing is sent
 * @param pending messages to be sent as soon as a relay comes to them
 * @param waiting messages that were refused, to be tried again
 * @param failed messages that were refused for the last time
 * @param unusual what waits unusually, since when and what ends it
 */
public record Backlog(int relays, long pending, long waiting, long failed, List<String> unusual, Instant lookedAt) {

    public Backlog {
        unusual = List.copyOf(unusual);
    }
}
