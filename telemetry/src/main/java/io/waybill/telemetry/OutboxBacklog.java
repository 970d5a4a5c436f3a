package io.waybill.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.failed.FailedSelection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What waits in the database. It is asked when somebody looks, and not more than every few seconds. */
final class OutboxBacklog {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Clock clock;
    private final Tags tags;
    private @Nullable OutboxOperations outbox;
    private @Nullable FailedMessages failed;
    private volatile IntSupplier stuck = () -> 0;
    private @Nullable WaitingSource source;
    private volatile LongSupplier unrouted = () -> 0;
    private Instant lookedAt = Instant.EPOCH;
    private Look last = new Look(List.of(), 0, List.of());

    private record Look(List<DestinationStats> outbox, long failed, List<WaitingItem> unusual) {}

    OutboxBacklog(Clock clock, Tags tags) {
        this.clock = clock;
        this.tags = tags;
    }

    synchronized void watch(OutboxOperations outbox, FailedMessages failed, WaitingSource source) {
        this.source = source;
        this.outbox = outbox;
        this.failed = failed;
        lookedAt = Instant.EPOCH;
    }

    void watchStuck(IntSupplier processes) {
        stuck = processes;
    }

    void watchUnrouted(LongSupplier messages) {
        unrouted = messages;
    }

    void bindTo(MeterRegistry registry) {
        MultiGauge waiting = MultiGauge.builder("waybill.outbox.destination.backlog")
                .description("Messages of a destination that are not sent yet")
                .tags(tags)
                .register(registry);
        MultiGauge age = MultiGauge.builder("waybill.outbox.destination.oldest.age")
                .description("How long the oldest unsent message of a destination has waited")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        Gauge.builder("waybill.outbox.backlog", () -> {
                    List<DestinationStats> now = look().outbox();
                    waiting.register(rows(now, OutboxBacklog::backlog), true);
                    age.register(rows(now, this::age), true);
                    return now.stream().mapToDouble(OutboxBacklog::backlog).sum();
                })
                .description("Messages that are not sent yet")
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        "waybill.outbox.oldest.age",
                        () -> look().outbox().stream()
                                .mapToDouble(this::age)
                                .max()
                                .orElse(0))
                .description("How long the oldest unsent message has waited")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        Gauge.builder("waybill.outbox.unrouted", () -> unrouted.getAsLong())
                .description("Messages that wait for a destination that nothing serves")
                .tags(tags)
                .register(registry);
        Gauge.builder("waybill.process.stuck", () -> stuck.getAsInt())
                .description("Unfinished processes that wait for something that does not exist")
                .tags(tags)
                .register(registry);
        Gauge.builder("waybill.outbox.failed", () -> refused(look()))
                .description("Messages of the outbox that were refused for the last time")
                .tags(tags)
                .register(registry);
        Gauge.builder("waybill.dead.letters", () -> {
                    Look now = look();
                    return refused(now) + now.failed();
                })
                .description(
                        "Messages that wait for a decision: those of the outbox that were refused for the last time, and"
                                + " those that could not be handled")
                .tags(tags)
                .register(registry);
        Gauge.builder("waybill.failed.messages", () -> look().failed())
                .description("Messages that could not be handled")
                .tags(tags)
                .register(registry);
        for (WaitingItem.Kind kind : WaitingItem.Kind.values()) {
            Gauge.builder("waybill.waiting", () -> unusual(kind))
                    .description("What waits unusually, by its kind")
                    .tags(tags.and("kind", kind.word()))
                    .register(registry);
        }
    }

    private double unusual(WaitingItem.Kind kind) {
        return look().unusual().stream()
                .filter(one -> one.kind() == kind)
                .mapToDouble(WaitingItem::count)
                .sum();
    }

    private static List<MultiGauge.Row<?>> rows(
            List<DestinationStats> stats, ToDoubleFunction<DestinationStats> value) {
        return stats.stream()
                .<MultiGauge.Row<?>>map(some ->
                        MultiGauge.Row.of(Tags.of("destination", some.destination()), value.applyAsDouble(some)))
                .toList();
    }

    private static double refused(Look now) {
        return now.outbox().stream().mapToDouble(DestinationStats::failed).sum();
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

    private synchronized Look look() {
        if (outbox != null
                && failed != null
                && source != null
                && !lookedAt.plus(FRESH).isAfter(clock.instant())) {
            List<WaitingItem> unusual =
                    source.waiting().stream().filter(WaitingItem::unusual).toList();
            last = new Look(outbox.stats(), failed.count(FailedSelection.all()), unusual);
            lookedAt = clock.instant();
        }
        return last;
    }
}
