package io.waybill.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.message.Envelope;
import io.waybill.message.UuidV7;
import io.waybill.observe.RelayListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts what relays do. It may be bound before or after they start, and to several registries.
 *
 * <p><i>Threads:</i> safe.
 */
public final class RelayMeters implements MeterBinder, RelayListener {

    /** The upper bounds of the histogram: from the time of a local broker to that of an outage. */
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(30),
        Duration.ofHours(1)
    };

    private final Clock clock;
    private final Tags tags;
    private final BoundedTag destinations;
    private final List<Bound> bound = new CopyOnWriteArrayList<>();

    /** @param tags of all of its meters */
    public RelayMeters(Clock clock, Tags tags) {
        this(clock, tags, new BoundedTag());
    }

    RelayMeters(Clock clock, Tags tags, BoundedTag destinations) {
        this.clock = clock;
        this.tags = tags;
        this.destinations = destinations;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bound.add(new Bound(registry));
    }

    @Override
    public void published(List<Envelope> messages, Duration lag) {
        bound.forEach(one -> one.published(messages, clock.millis()));
    }

    @Override
    public void unsettled(int messages) {
        bound.forEach(one -> one.duplicates.increment(messages));
    }

    @Override
    public void retried(Envelope message, int attempts, String error, Duration delay) {
        bound.forEach(one -> one.to(message.destination()).retried.increment());
    }

    @Override
    public void failed(Envelope message, int attempts, String error) {
        bound.forEach(one -> one.to(message.destination()).failed.increment());
    }

    @Override
    public void leasesLost(int lost) {
        bound.forEach(one -> one.leasesLost.increment(lost));
    }

    @Override
    public void crashed(Throwable error) {
        bound.forEach(one -> one.crashes.increment());
    }

    @Override
    public void keysRepaired(int keys) {
        bound.forEach(one -> one.keysRepaired.increment(keys));
    }

    /** What is counted for a destination; all of it from the first message on, so that the first failure is seen as an increase. */
    private record DestinationMeters(Counter published, Timer time, Counter retried, Counter failed) {}

    /** The meters in one registry. */
    private final class Bound {

        private final MeterRegistry registry;
        private final Map<String, DestinationMeters> byDestination = new ConcurrentHashMap<>();
        private final Counter duplicates;
        private final Counter leasesLost;
        private final Counter crashes;
        private final Counter keysRepaired;

        Bound(MeterRegistry registry) {
            this.registry = registry;
            duplicates = counter(
                    "waybill.relay.duplicates",
                    "Messages that were published and not settled, and are published a second time",
                    Tags.empty());
            leasesLost = counter(
                    "waybill.relay.leases.lost",
                    "Shards that went to other relays before they were handed over",
                    Tags.empty());
            crashes = counter(
                    "waybill.relay.crashes", "Cycles of a relay that ended with an error of the JVM", Tags.empty());
            keysRepaired = counter(
                    "waybill.relay.keys.repaired", "Keys that were blocked by messages that are gone", Tags.empty());
        }

        void published(List<Envelope> messages, long now) {
            String destination = "";
            @Nullable DestinationMeters meters = null;
            for (Envelope message : messages) {
                // Those of a destination are mostly together.
                if (meters == null || !destination.equals(message.destination())) {
                    destination = message.destination();
                    meters = to(destination);
                }
                meters.published.increment();
                Optional<Instant> appended = UuidV7.timeOf(message.id());
                if (appended.isPresent()) {
                    long age = now - appended.get().toEpochMilli();
                    meters.time.record(Math.max(0, age), TimeUnit.MILLISECONDS);
                }
            }
        }

        DestinationMeters to(String destination) {
            return byDestination.computeIfAbsent(destinations.value(destination), this::register);
        }

        private DestinationMeters register(String value) {
            Tags destination = Tags.of("destination", value);
            return new DestinationMeters(
                    counter("waybill.relay.published", "Messages that were published or handled", destination),
                    Timer.builder("waybill.relay.publish")
                            .description("Time from the append of a message until it was published or handled")
                            .tags(tags.and(destination))
                            .serviceLevelObjectives(BOUNDS)
                            .register(registry),
                    counter("waybill.relay.retried", "Refused messages that are tried again", destination),
                    counter("waybill.relay.failed", "Messages that were refused for the last time", destination));
        }

        private Counter counter(String name, String description, Tags more) {
            return Counter.builder(name)
                    .description(description)
                    .tags(tags.and(more))
                    .register(registry);
        }
    }
}
