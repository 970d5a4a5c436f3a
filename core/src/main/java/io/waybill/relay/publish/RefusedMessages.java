package io.waybill.relay.publish;

import io.waybill.Time;
import io.waybill.observe.WaitingItem;
import io.waybill.store.failed.FailedState;
import io.waybill.store.outbox.ClaimedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which destinations refuse messages. The log says it when a destination begins to, and when nothing it refused waits any more.
 *
 * <p><i>Threads:</i> the relay's own; {@link #waiting} is for others too.
 */
public final class RefusedMessages {

    private static final Logger log = LoggerFactory.getLogger(RefusedMessages.class);

    /** More of a destination are not counted. */
    private static final int MAX_COUNTED = 1_000;

    /** What is so late for its next attempt belongs to another relay by now. */
    private static final Duration LOST_AFTER = Duration.ofMinutes(2);

    private final Time time;
    private final Map<String, Refusing> byDestination = new ConcurrentHashMap<>();

    public RefusedMessages(Time time) {
        this.time = time;
    }

    /** The message waits for its next attempt. */
    void refused(ClaimedMessage message, String reason, int maxAttempts, Duration delay) {
        String destination = message.envelope().destination();
        Refusing before = byDestination.get(destination);
        Set<Long> positions = before == null ? ConcurrentHashMap.newKeySet() : before.positions;
        if (positions.size() < MAX_COUNTED) {
            positions.add(message.position());
        }
        Instant now = time.clock().instant();
        byDestination.put(
                destination,
                new Refusing(positions, before == null ? now : before.first, reason, time.stopwatch(), delay));
        if (before == null) {
            log.warn(
                    "WB-124 {} refuses messages: {}. Message {} is retried at {} ({} attempts left); '{} --from {}'"
                            + " lists the refused messages.",
                    destination,
                    reason,
                    message.label(),
                    now.plus(delay),
                    maxAttempts - message.attempts() - 1,
                    FailedState.RETRYING.command(),
                    destination);
        }
    }

    /** The message was accepted, or refused for the last time. */
    void settled(ClaimedMessage message) {
        if (byDestination.isEmpty()) {
            return;
        }
        String destination = message.envelope().destination();
        Refusing refusing = byDestination.get(destination);
        if (refusing != null && refusing.positions.remove(message.position()) && refusing.positions.isEmpty()) {
            byDestination.remove(destination);
            log.info("WB-125 No message that {} refused is waiting any more.", destination);
        }
    }

    /** The destinations that refuse messages, since when and why. */
    public List<WaitingItem> waiting() {
        byDestination.values().removeIf(refusing -> refusing.last.hasReached(refusing.delay.plus(LOST_AFTER)));
        return byDestination.entrySet().stream()
                .map(entry -> entry.getValue().waiting(entry.getKey()))
                .toList();
    }

    private record Refusing(Set<Long> positions, Instant first, String reason, Time.Stopwatch last, Duration delay) {

        WaitingItem waiting(String destination) {
            return new WaitingItem(
                    WaitingItem.Kind.DESTINATION,
                    destination,
                    positions.size(),
                    first,
                    true,
                    "it refuses messages: " + reason,
                    FailedState.RETRYING.endedBy() + ": " + FailedState.RETRYING.command() + " --from " + destination,
                    "WB-124");
        }
    }
}
