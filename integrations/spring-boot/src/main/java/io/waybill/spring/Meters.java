package io.waybill.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.DestinationStats;
import io.waybill.store.FailedSelection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The backlog of the outbox, all together and by destination, and the depth of the failed messages. The database is asked when somebody
 * looks, and not more than every few seconds.
 */
final class Meters implements MeterBinder {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final OutboxOperations outbox;
    private final FailedMessages failed;
    private final Clock clock;
    private Instant lookedAt = Instant.EPOCH;
    private List<DestinationStats> stats = List.of();
    private long failedMessages;

    Meters(OutboxOperations outbox, FailedMessages failed, Clock clock) {
        this.outbox = outbox;
        this.failed = failed;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        MultiGauge byDestination = MultiGauge.builder("waybill.outbox.destination.backlog")
                .description("Messages of a destination that are not sent yet")
                .register(registry);
        MultiGauge ageByDestination = MultiGauge.builder("waybill.outbox.destination.oldest.age")
                .description("How long the oldest unsent message of a destination has waited")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("waybill.outbox.backlog", () -> {
                    List<DestinationStats> now = look();
                    byDestination.register(rows(now, Meters::backlog), true);
                    ageByDestination.register(rows(now, this::age), true);
                    return now.stream().mapToDouble(Meters::backlog).sum();
                })
                .description("Messages that are not sent yet")
                .register(registry);
        Gauge.builder(
                        "waybill.outbox.oldest.age",
                        () -> look().stream().mapToDouble(this::age).max().orElse(0))
                .description("How long the oldest unsent message has waited")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("waybill.failed.messages", this::failedMessages)
                .description("Messages that could not be handled")
                .register(registry);
    }

    private static List<MultiGauge.Row<?>> rows(
            List<DestinationStats> stats, Function<DestinationStats, Double> value) {
        return stats.stream()
                .<MultiGauge.Row<?>>map(
                        some -> MultiGauge.Row.of(Tags.of("destination", some.destination()), value.apply(some)))
                .toList();
    }

    private static double backlog(DestinationStats some) {
        return (double) some.pending() + some.waiting() + some.held();
    }

    private double age(DestinationStats some) {
        @Nullable Instant oldest = some.oldestPending();
        return oldest == null
                ? 0
                : Math.max(0, Duration.between(oldest, clock.instant()).toMillis() / 1000.0);
    }

    private synchronized long failedMessages() {
        List<DestinationStats> unused = look();
        return failedMessages;
    }

    private synchronized List<DestinationStats> look() {
        if (lookedAt.plus(FRESH).isBefore(clock.instant())) {
            stats = outbox.stats();
            failedMessages = failed.count(FailedSelection.all());
            lookedAt = clock.instant();
        }
        return stats;
    }
}
