package io.waybill.store.admin;

import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one destination.
 *
 * @param pending to be sent as soon as a relay comes to it
 * @param waiting refused, to be tried again
 * @param held waiting behind an earlier message of their key
 * @param failed refused for the last time
 * @param attempts how often all of these were refused together
 * @param maxAttempts how often the one that was refused most was refused
 * @param oldestPending when the oldest one that is pending or waiting was appended; null when there is none
 */
public record DestinationStats(
        String destination,
        long pending,
        long waiting,
        long held,
        long failed,
        long attempts,
        int maxAttempts,
        @Nullable Instant oldestPending) {

    /** Nothing yet. */
    public static DestinationStats none(String destination) {
        return new DestinationStats(destination, 0, 0, 0, 0, 0, 0, null);
    }

    /** All of them together; {@code **} is their destination. */
    public static DestinationStats sum(Collection<DestinationStats> stats) {
        return stats.stream().reduce(none("**"), DestinationStats::plus);
    }

    /** Both together, for the same destination. */
    public DestinationStats plus(DestinationStats other) {
        return new DestinationStats(
                destination,
                pending + other.pending,
                waiting + other.waiting,
                held + other.held,
                failed + other.failed,
                attempts + other.attempts,
                Math.max(maxAttempts, other.maxAttempts),
                earlier(oldestPending, other.oldestPending));
    }

    /** That many messages of one status. */
    public static DestinationStats of(
            String destination, OutboxStatus status, long count, long attempts, int maxAttempts, Instant oldest) {
        boolean sendable = status == OutboxStatus.PENDING || status == OutboxStatus.WAITING;
        return new DestinationStats(
                destination,
                status == OutboxStatus.PENDING ? count : 0,
                status == OutboxStatus.WAITING ? count : 0,
                status == OutboxStatus.HELD ? count : 0,
                status == OutboxStatus.FAILED ? count : 0,
                attempts,
                maxAttempts,
                sendable ? oldest : null);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }
}
