package io.waybill.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.ops.OutboxOperations;
import io.waybill.ops.UnroutedDestination;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.telemetry.ProcessMeters;
import io.waybill.telemetry.WaybillMeters;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The meters of all instances, with a tag {@code datasource} where there are several. They listen from the beginning, and count once a
 * registry is there.
 *
 * <p><i>Threads:</i> safe.
 */
public final class SpringMeters implements MeterBinder, SpringObserver {

    private final Map<String, WaybillMeters> byDataSource = new LinkedHashMap<>();
    private final Set<MeterRegistry> registries = new LinkedHashSet<>();

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        byDataSource.values().forEach(meters -> meters.bindTo(registry));
    }

    @Override
    public synchronized void listenTo(String dataSource, boolean only, WaybillBuilder builder) {
        var meters = new WaybillMeters(Clock.systemUTC(), only ? Tags.empty() : Tags.of("datasource", dataSource));
        byDataSource.put(dataSource, meters);
        registries.forEach(meters::bindTo);
        builder.listener(meters).inboxListener(meters).processListener(meters);
    }

    @Override
    public synchronized void watch(String dataSource, Waybill waybill) {
        WaybillMeters meters = byDataSource.get(dataSource);
        if (meters != null) {
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
    }
}
