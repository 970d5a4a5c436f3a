package io.waybill.server.relay;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingSource;
import io.waybill.telemetry.OpenTelemetryListener;
import io.waybill.telemetry.OutboxMeters;
import io.waybill.telemetry.OutboxSnapshot;
import io.waybill.telemetry.ProcessMeters;
import io.waybill.telemetry.RelayMeters;
import java.time.Clock;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of one source. They are the same before and after a reload, so that what is counted goes on.
 *
 * <p><i>Threads:</i> safe. Reading a meter asks nobody: the source's own thread looks at the database.
 */
final class SourceMeters {

    private static final Logger log = LoggerFactory.getLogger(SourceMeters.class);

    private final RelayMeters relay;
    private final OutboxMeters outbox;
    private final ProcessMeters processes;
    private final BooleanSupplier wanted;
    private volatile OutboxSnapshot last = OutboxSnapshot.NONE;
    private volatile long lookedAt = System.nanoTime();
    private volatile BooleanSupplier up = () -> false;
    private volatile IntSupplier shards = () -> 0;
    private volatile @Nullable HikariDataSource pool;

    /** @param wanted whether anybody may read the meters; nothing is looked at for nobody */
    SourceMeters(String source, MeterRegistry registry, BooleanSupplier wanted) {
        Tags tags = Tags.of("source", source);
        this.wanted = wanted;
        this.relay = new RelayMeters(Clock.systemUTC(), tags);
        this.outbox = new OutboxMeters(Clock.systemUTC(), tags, () -> last);
        this.processes = new ProcessMeters(tags);
        relay.bindTo(registry);
        outbox.bindTo(registry);
        processes.bindTo(registry);
        gauge(registry, tags, "waybill.source.up", "Whether the source can be read", () -> up.getAsBoolean() ? 1 : 0);
        gauge(registry, tags, "waybill.relay.shards", "Shards that the relay owns", () -> shards.getAsInt());
        Gauge.builder("waybill.source.counted.age", () -> (System.nanoTime() - lookedAt) / 1e9)
                .description("How long ago the rows of the source were counted")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        pool(registry, tags, "active", "Connections in use", HikariPoolMXBean::getActiveConnections);
        pool(
                registry,
                tags,
                "pending",
                "Threads that wait for a connection",
                HikariPoolMXBean::getThreadsAwaitingConnection);
        gauge(registry, tags, "hikaricp.connections.max", "Connections at most", () -> {
            HikariDataSource open = pool;
            return open == null ? 0 : open.getMaximumPoolSize();
        });
    }

    private static void gauge(
            MeterRegistry registry, Tags tags, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).tags(tags).register(registry);
    }

    private void pool(
            MeterRegistry registry,
            Tags tags,
            String name,
            String description,
            ToDoubleFunction<HikariPoolMXBean> value) {
        gauge(registry, tags, "hikaricp.connections." + name, description, () -> {
            HikariDataSource open = pool;
            HikariPoolMXBean now = open == null ? null : open.getHikariPoolMXBean();
            return now == null ? 0 : value.applyAsDouble(now);
        });
    }

    /** Counts, and traces where the JVM has the agent of OpenTelemetry. */
    RelayListener listener() {
        return OpenTelemetryListener.ofAgent().map(relay::and).orElse(relay);
    }

    /** Who knows whether the source can be read. */
    void up(BooleanSupplier up) {
        this.up = up;
    }

    /** A relay works on these connections. */
    void serves(IntSupplier shards, HikariDataSource pool) {
        this.shards = shards;
        this.pool = pool;
    }

    void servesNothing() {
        shards = () -> 0;
        pool = null;
    }

    /** Counts what waits. A database that is away keeps the last counts, whose age is a meter. */
    void look(OpenSource source, List<WaitingSource> waiting) {
        if (!wanted.getAsBoolean()) {
            return;
        }
        try {
            last = new OutboxSnapshot(source.stats(), WaitingSource.all(waiting));
            lookedAt = System.nanoTime();
            outbox.refresh();
        } catch (RuntimeException | Error e) {
            log.debug("The rows of a source could not be counted.", e);
        }
    }

    /** Counts unfinished processes. */
    void lookAtProcesses(OpenSource source) {
        if (!wanted.getAsBoolean()) {
            return;
        }
        try {
            processes.show(source.processes(ProcessMeters.MAX_COUNTED));
        } catch (RuntimeException | Error e) {
            log.debug("The processes of a source could not be counted.", e);
        }
    }
}
