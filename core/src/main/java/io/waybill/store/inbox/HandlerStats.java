package io.waybill.store.inbox;

import java.time.Instant;

/**
 * What a handler has done lately.
 *
 * @param handled how many messages
 * @param last when it handled the last of them
 */
public record HandlerStats(String handler, long handled, Instant last) {

    /** Of a handler as the inbox has it: what it has tried again is noted with a number behind its name. */
    public static HandlerStats of(String noted, long handled, Instant last) {
        return new HandlerStats(noted.replaceFirst("#\\d+$", ""), handled, last);
    }

    /** Both together, for the same handler. */
    public HandlerStats plus(HandlerStats other) {
        return new HandlerStats(handler, handled + other.handled, last.isAfter(other.last) ? last : other.last);
    }
}
