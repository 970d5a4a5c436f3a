package io.waybill.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.observe.WaitingItem;
import io.waybill.store.admin.DestinationStats;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows what waits in an outbox, as it was when somebody looked last. Ages grow until the next look.
 *
 * <p><i>Threads:</i> safe.
 */
public final class OutboxMeters implements MeterBinder {

    /** The codes of destinations that get no messages: away, or set up wrongly. */
    private static final Set<String> OPEN_CIRCUITS = Set.of("WB-102", "WB-103");

    private static final Set<String> PAUSED = Set.of("WB-140");

    private final Clock clock;
    private final Tags tags;
    private final BoundedTag destinations;
    private final Supplier<OutboxSnapshot> latest;
    private final List<DestinationGauges> byDestination = new CopyOnWriteArrayList<>();

    /**
     * The meters of an outbox.
     *
     * @param tags of all of them
     * @param latest what was seen last; it is asked whenever a meter is read
     */
    public OutboxMeters(Clock clock, Tags tags, Supplier<OutboxSnapshot> latest) {
        this(clock, tags, new BoundedTag(), latest);
    }

    OutboxMeters(Clock clock, Tags tags, BoundedTag destinations, Supplier<OutboxSnapshot> latest) {
        this.clock = clock;
        this.tags = tags;
        this.destinations = destinations;
        this.latest = latest;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        var gauges = new DestinationGauges(registry);
        byDestination.add(gauges);
        Gauge.builder("waybill.outbox.backlog", () -> {
                    gauges.show(latest.get());
                    return sum(OutboxMeters::backlog);
                })
                .description("Messages that are not published yet")
                .tags(tags)
                .register(registry);
        gauge(
                registry,
                "waybill.outbox.pending",
                "Messages that are to be published next",
                () -> sum(DestinationStats::pending));
        gauge(
                registry,
                "waybill.outbox.held",
                "Messages behind one of their key that was refused",
                () -> sum(DestinationStats::held));
        gauge(
                registry,
                "waybill.outbox.failed",
                "Messages of the outbox that were refused for the last time",
                () -> sum(DestinationStats::failed));
        gauge(
                registry,
                "waybill.outbox.keys.held",
                "Keys behind a message of theirs that was refused",
                () -> count(WaitingItem.Kind.KEY, false));
        gauge(
                registry,
                "waybill.relay.circuits.open",
                "Destinations that are away or set up wrongly",
                () -> destinations(OPEN_CIRCUITS));
        gauge(
                registry,
                "waybill.relay.destinations.paused",
                "Destinations that an operator has paused",
                () -> destinations(PAUSED));
        Gauge.builder(
                        "waybill.outbox.oldest.age",
                        () -> latest.get().outbox().stream()
                                .mapToDouble(this::age)
                                .max()
                                .orElse(0))
                .description("How long the oldest unpublished message has waited")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        for (WaitingItem.Kind kind : WaitingItem.Kind.values()) {
            Gauge.builder("waybill.waiting", () -> count(kind, true))
                    .description("What waits unusually, by its kind")
                    .tags(tags.and("kind", kind.word()))
                    .register(registry);
        }
    }

    /** Shows destinations that were not known before; without it they are shown when the backlog is read for the next time. */
    public void refresh() {
        byDestination.forEach(gauges -> gauges.show(latest.get()));
    }

    private void gauge(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).tags(tags).register(registry);
    }

    private double sum(ToDoubleFunction<DestinationStats> value) {
        return latest.get().outbox().stream().mapToDouble(value).sum();
    }

    private double count(WaitingItem.Kind kind, boolean onlyUnusual) {
        return latest.get().waiting().stream()
                .filter(item -> item.kind() == kind && (item.unusual() || !onlyUnusual))
                .mapToDouble(WaitingItem::count)
                .sum();
    }

    private double destinations(Set<String> codes) {
        return latest.get().waiting().stream()
                .filter(item -> item.kind() == WaitingItem.Kind.DESTINATION && codes.contains(item.code()))
                .map(WaitingItem::name)
                .distinct()
                .count();
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

    /** The meters by destination in one registry. */
    private final class DestinationGauges {

        private final MultiGauge backlog;
        private final MultiGauge age;
        private final MultiGauge failed;
        private OutboxSnapshot shown = OutboxSnapshot.NONE;

        DestinationGauges(MeterRegistry registry) {
            backlog = MultiGauge.builder("waybill.outbox.destination.backlog")
                    .description("Messages of a destination that are not published yet")
                    .tags(tags)
                    .register(registry);
            age = MultiGauge.builder("waybill.outbox.destination.oldest.age")
                    .description("How long the oldest unpublished message of a destination has waited")
                    .baseUnit("seconds")
                    .tags(tags)
                    .register(registry);
            failed = MultiGauge.builder("waybill.outbox.destination.failed")
                    .description("Messages of a destination that were refused for the last time")
                    .tags(tags)
                    .register(registry);
        }

        synchronized void show(OutboxSnapshot now) {
            if (!now.equals(shown)) {
                shown = now;
                Collection<DestinationStats> stats = bounded(now.outbox());
                backlog.register(rows(stats, OutboxMeters::backlog), true);
                age.register(rows(stats, OutboxMeters.this::age), true);
                failed.register(rows(stats, DestinationStats::failed), true);
            }
        }

        private Collection<DestinationStats> bounded(List<DestinationStats> stats) {
            Map<String, DestinationStats> bounded = new TreeMap<>();
            for (DestinationStats some : stats) {
                String value = destinations.value(some.destination());
                bounded.merge(value, DestinationStats.none(value).plus(some), DestinationStats::plus);
            }
            return bounded.values();
        }

        private static List<MultiGauge.Row<?>> rows(
                Collection<DestinationStats> stats, ToDoubleFunction<DestinationStats> value) {
            return stats.stream()
                    .<MultiGauge.Row<?>>map(
                            some -> MultiGauge.Row.of(Tags.of("destination", some.destination()), some, value))
                    .toList();
        }
    }
}
