package io.waybill.telemetry;

import io.waybill.observe.WaitingSource;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.failed.FailedSelection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Asks the database what waits, when somebody reads a meter, and not more than every few seconds. */
final class BacklogLook {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Clock clock;
    private @Nullable OutboxOperations outbox;
    private @Nullable FailedMessages failed;
    private @Nullable WaitingSource source;
    private Instant lookedAt = Instant.EPOCH;
    private Look last = new Look(OutboxSnapshot.NONE, 0);

    private record Look(OutboxSnapshot outbox, long failed) {}

    BacklogLook(Clock clock) {
        this.clock = clock;
    }

    synchronized void watch(OutboxOperations outbox, FailedMessages failed, WaitingSource source) {
        this.source = source;
        this.outbox = outbox;
        this.failed = failed;
        lookedAt = Instant.EPOCH;
    }

    OutboxSnapshot outbox() {
        return look().outbox();
    }

    /** What could not be handled. */
    long failedMessages() {
        return look().failed();
    }

    /** That, and what was refused for the last time. */
    long deadLetters() {
        Look now = look();
        return now.failed()
                + now.outbox().outbox().stream()
                        .mapToLong(DestinationStats::failed)
                        .sum();
    }

    private synchronized Look look() {
        if (outbox != null
                && failed != null
                && source != null
                && !lookedAt.plus(FRESH).isAfter(clock.instant())) {
            last = new Look(new OutboxSnapshot(outbox.stats(), source.waiting()), failed.count(FailedSelection.all()));
            lookedAt = clock.instant();
        }
        return last;
    }
}
