package io.waybill.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.observe.ObservedCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** How long handlers take, from the call to the end of their transaction. */
final class HandlerMeters {

    private static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30)
    };

    private final Tags tags;
    private final BoundedTag destinations;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    HandlerMeters(Tags tags, BoundedTag destinations) {
        this.tags = tags;
        this.destinations = destinations;
    }

    void bindTo(MeterRegistry registry) {
        registries.add(registry);
    }

    /** Whether there is anybody to tell. */
    boolean isBound() {
        return !registries.isEmpty();
    }

    ObservedCall begin(String destination) {
        long begun = System.nanoTime();
        return new ObservedCall() {
            @Override
            public void end(String error) {
                Duration time = Duration.ofNanos(System.nanoTime() - begun);
                registries.forEach(registry -> timer(registry, destination, error.isEmpty() ? "handled" : "failed")
                        .record(time));
            }
        };
    }

    private Timer timer(MeterRegistry registry, String destination, String outcome) {
        return Timer.builder("waybill.handler.time")
                .description("Time that handlers take, to the end of their transaction")
                .tags(tags.and("destination", destinations.value(destination), "outcome", outcome))
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }
}
