package io.waybill.telemetry;

import io.waybill.Pace;
import io.waybill.WaybillException;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.process.store.ProcessStore.Active;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.failed.FailedSelection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks the database what waits, when somebody reads a meter: not more than every few seconds, and less often when it takes long. While the
 * database cannot be asked, there is nothing to show.
 */
final class BacklogLook {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Clock clock;
    private final Consumer<Look> seen;
    private Optional<Supplier<Look>> source = Optional.empty();
    private Pace pace;
    private Optional<Look> last = Optional.of(new Look(OutboxSnapshot.NONE, 0, List.of()));

    /** What was there. */
    record Look(OutboxSnapshot outbox, long failed, List<Active> processes) {}

    /** @param seen is given every new look */
    BacklogLook(Clock clock, Consumer<Look> seen) {
        this.clock = clock;
        this.seen = seen;
        this.pace = new Pace(clock, FRESH);
    }

    synchronized void watch(
            OutboxOperations outbox, FailedMessages failed, WaitingSource waiting, Supplier<List<Active>> processes) {
        pace = new Pace(clock, FRESH);
        source = Optional.of(() -> new Look(
                new OutboxSnapshot(outbox.stats(), waiting.waiting()),
                failed.count(FailedSelection.all()),
                processes.get()));
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
        source.ifPresent(database -> pace.run(() -> {
            last = Optional.empty();
            Look now = database.get();
            last = Optional.of(now);
            seen.accept(now);
        }));
        return last.orElseThrow(() -> new WaybillException(
                "The database could not be asked what waits. The meters of the backlog are empty until it can."));
    }
}
