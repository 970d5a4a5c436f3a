package io.waybill.server.relay;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of a relay service, as Prometheus reads them. The page is written anew every second while somebody may ask for it, so that an
 * answer costs nothing.
 *
 * <p><i>Threads:</i> safe.
 */
final class ServiceMeters implements AutoCloseable {

    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Logger log = LoggerFactory.getLogger(ServiceMeters.class);
    private static final long INTERVAL_MILLIS = 1_000;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, SourceMeters> sources = new ConcurrentHashMap<>();
    private volatile String page = "";
    private volatile boolean wanted;
    private @Nullable ScheduledExecutorService writer;

    /** @param refused whether the last file is not used */
    ServiceMeters(BooleanSupplier refused) {
        Gauge.builder("waybill.configuration.refused", () -> refused.getAsBoolean() ? 1 : 0)
                .description("Whether the file of the service was changed and is not used")
                .register(registry);
        List.of(new JvmMemoryMetrics(), new JvmThreadMetrics(), new ProcessorMetrics(), new UptimeMetrics())
                .forEach(binder -> binder.bindTo(registry));
    }

    /** The meters of a source, the same as before when it was known. */
    SourceMeters of(String source) {
        return sources.computeIfAbsent(source, name -> new SourceMeters(name, registry, () -> wanted));
    }

    /** Forgets the sources that are not served any more. */
    void retain(Set<String> served) {
        if (sources.keySet().retainAll(served)) {
            registry.getMeters().stream()
                    .filter(meter -> {
                        @Nullable String source = meter.getId().getTag("source");
                        return source != null && !served.contains(source);
                    })
                    .forEach(registry::remove);
        }
    }

    /** Begins to write the page. */
    synchronized void start() {
        if (writer == null) {
            wanted = true;
            write();
            writer = Executors.newSingleThreadScheduledExecutor(work -> {
                var daemon = new Thread(work, "waybill-metrics");
                daemon.setDaemon(true);
                return daemon;
            });
            ScheduledFuture<?> unused =
                    writer.scheduleWithFixedDelay(this::write, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void write() {
        try {
            page = text();
        } catch (RuntimeException | Error e) {
            log.debug("The page of meters could not be written.", e);
        }
    }

    /** The page as it is now. */
    String text() {
        return registry.scrape();
    }

    /** The page as it was written last. */
    String page() {
        return page;
    }

    @Override
    public synchronized void close() {
        wanted = false;
        if (writer != null) {
            writer.shutdownNow();
            writer = null;
        }
    }
}
