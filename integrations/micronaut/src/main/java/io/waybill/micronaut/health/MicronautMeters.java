package io.waybill.micronaut.health;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.annotation.Requires;
import io.waybill.micronaut.MicronautObserver;
import io.waybill.micronaut.WaybillBeans;
import io.waybill.ops.OutboxOperations;
import io.waybill.ops.UnroutedDestination;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.telemetry.ProcessMeters;
import io.waybill.telemetry.WaybillMeters;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

/** The meters of all instances, bound to every registry that Micronaut has. */
@Singleton
@Requires(classes = {MeterRegistry.class, WaybillMeters.class})
@Requires(beans = WaybillBeans.class)
final class MicronautMeters implements MeterBinder, MicronautObserver {

    private final Map<String, WaybillMeters> byDataSource = new ConcurrentHashMap<>();
    private final Set<MeterRegistry> registries = new CopyOnWriteArraySet<>();

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        byDataSource.values().forEach(meters -> meters.bindTo(registry));
    }

    @Override
    public void listenTo(String dataSource, WaybillBuilder builder) {
        WaybillMeters meters = of(dataSource);
        builder.listener(meters).inboxListener(meters).processListener(meters);
    }

    @Override
    public void watch(String dataSource, Waybill waybill) {
        WaybillMeters meters = of(dataSource);
        meters.watch(
                new OutboxOperations(waybill.store().admin()),
                waybill.failedMessages(),
                waybill::waiting,
                () -> waybill.processManager().active(ProcessMeters.MAX_COUNTED));
        meters.watchShards(waybill::shards);
        meters.watchStuck(() -> waybill.processManager().lastStuck().size());
        meters.watchUnrouted(() -> waybill.unrouted().stream()
                .mapToLong(UnroutedDestination::messages)
                .sum());
    }

    private synchronized WaybillMeters of(String dataSource) {
        return byDataSource.computeIfAbsent(dataSource, name -> {
            var meters = new WaybillMeters(Clock.systemUTC(), Tags.of("datasource", name));
            List.copyOf(registries).forEach(meters::bindTo);
            return meters;
        });
    }
}
