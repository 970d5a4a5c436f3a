package io.waybill.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessStore.Active;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Shows processes that are not finished, as they were counted last. A type that was seen once keeps its meters, which are 0 when it has no
 * process any more.
 *
 * <p><i>Threads:</i> safe.
 */
public final class ProcessMeters implements MeterBinder {

    /** The limit of counting, for each status. */
    public static final int MAX_COUNTED = 10_000;

    private static final List<ProcessStatus> STATUSES = List.of(
            ProcessStatus.NEW,
            ProcessStatus.RUNNING,
            ProcessStatus.COMPENSATING,
            ProcessStatus.PAUSED,
            ProcessStatus.FAILED);

    private final Tags tags;
    private final BoundedTag types = new BoundedTag();
    private final Map<String, Map<ProcessStatus, Long>> counts = new TreeMap<>();
    private final List<MultiGauge> gauges = new CopyOnWriteArrayList<>();

    /** @param tags of all of its meters */
    public ProcessMeters(Tags tags) {
        this.tags = tags;
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        var gauge = MultiGauge.builder("waybill.process.active")
                .description("Processes that are not finished, by type and status")
                .tags(tags)
                .register(registry);
        gauges.add(gauge);
        gauge.register(rows(), true);
    }

    /** Shows these from now on. */
    public synchronized void show(List<Active> active) {
        counts.values().forEach(byStatus -> byStatus.replaceAll((status, processes) -> 0L));
        for (Active some : active) {
            counts.computeIfAbsent(types.value(some.processType()), none -> new EnumMap<>(ProcessStatus.class))
                    .merge(some.status(), some.processes(), Long::sum);
        }
        gauges.forEach(gauge -> gauge.register(rows(), true));
    }

    private List<MultiGauge.Row<?>> rows() {
        return counts.entrySet().stream()
                .<MultiGauge.Row<?>>flatMap(type -> STATUSES.stream()
                        .map(status -> MultiGauge.Row.of(
                                Tags.of("type", type.getKey(), "status", word(status)),
                                type.getValue().getOrDefault(status, 0L))))
                .toList();
    }

    /** What has failed and can still be moved is blocked. */
    private static String word(ProcessStatus status) {
        return status == ProcessStatus.FAILED ? "blocked" : status.name().toLowerCase(Locale.ROOT);
    }
}
