package io.waybill.ops;

import io.waybill.observe.WaitingItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Messages that wait for a destination which nobody serves.
 *
 * @param oldest when the first of them was appended
 * @param nearest what may have been meant
 */
public record UnroutedDestination(String destination, long messages, Instant oldest, Optional<String> nearest) {

    public WaitingItem waiting() {
        return new WaitingItem(
                WaitingItem.Kind.DESTINATION,
                destination + " (not served)",
                messages,
                oldest,
                true,
                "nothing serves it"
                        + nearest.map(name -> "; '" + name + "' is served").orElse(""),
                "a live relay has a route, subscriber or handler for it",
                "WB-122");
    }

    /** What there is to say about it at this time. */
    public String words(Instant now) {
        return messages + (messages == 1 ? " message waits" : " messages wait") + " for '" + destination
                + "', the oldest for "
                + Duration.between(oldest, now).toSeconds() + " s, but nothing serves it."
                + nearest.map(name -> " Did you mean '" + name + "'?").orElse("");
    }
}
