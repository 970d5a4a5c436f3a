package io.waybill.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.process.ProcessListener;
import io.waybill.process.state.ProcessStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The meters of one instance. Its listeners count while the instance works; {@link #watch} gives it what to look at when somebody asks
 * for the backlog. It may be bound before or after, and to several registries.
 *
 * <p><i>Threads:</i> safe.
 */
public final class WaybillMeters implements MeterBinder, RelayListener, InboxListener, ProcessListener {

    private final Tags tags;
    private final OutboxBacklog backlog;
    private final Set<MeterRegistry> registries = new CopyOnWriteArraySet<>();

    /**
     * The meters of an instance, all with these tags.
     *
     * @param tags tell it from the other instances of a process; none where it is the only one
     */
    public WaybillMeters(Clock clock, Tags tags) {
        this.tags = tags;
        this.backlog = new OutboxBacklog(clock, tags);
    }

    /** Where the backlog is, and who knows what waits. */
    public void watch(OutboxOperations outbox, FailedMessages failed, WaitingSource waiting) {
        backlog.watch(outbox, failed, waiting);
    }

    /** How many processes the instance has found stuck. */
    public void watchStuck(IntSupplier processes) {
        backlog.watchStuck(processes);
    }

    /** How many messages the instance has found waiting for destinations that nobody serves. */
    public void watchUnrouted(LongSupplier messages) {
        backlog.watchUnrouted(messages);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (registries.add(registry)) {
            backlog.bindTo(registry);
        }
    }

    @Override
    public void published(List<Envelope> messages, Duration lag) {
        count("waybill.relay.published", "Messages that were sent or handled", messages.size(), Tags.empty());
    }

    @Override
    public void retried(Envelope message, int attempts, String error, Duration delay) {
        Tags destination = Tags.of("destination", message.destination());
        count("waybill.relay.retried", "Refused messages that are tried again", 1, destination);
        if (message.category() == Category.COMMAND) {
            commandRetried(message.type());
        }
    }

    @Override
    public void failed(Envelope message, int attempts, String error) {
        Tags destination = Tags.of("destination", message.destination());
        count("waybill.relay.failed", "Messages that were refused for the last time", 1, destination);
    }

    @Override
    public void leasesLost(int lost) {
        count(
                "waybill.relay.leases.lost",
                "Shards that went to other relays before they were handed over",
                lost,
                Tags.empty());
    }

    @Override
    public void crashed(Throwable error) {
        count("waybill.relay.crashes", "Cycles of a relay that ended with an error of the JVM", 1, Tags.empty());
    }

    @Override
    public void keysRepaired(int keys) {
        count("waybill.relay.keys.repaired", "Keys that were blocked by messages that are gone", keys, Tags.empty());
    }

    @Override
    public void handled(String handler, List<Envelope> messages) {
        Tags tag = Tags.of("handler", handler);
        count("waybill.inbox.handled", "Messages from brokers that took effect", messages.size(), tag);
    }

    @Override
    public void duplicate(String handler, List<Envelope> messages) {
        Tags tag = Tags.of("handler", handler);
        count("waybill.inbox.duplicates", "Messages from brokers that had been handled before", messages.size(), tag);
    }

    @Override
    public void failed(String handler, Envelope message, int attempts, Throwable error) {
        Tags tag = Tags.of("handler", handler);
        count("waybill.inbox.failed", "Messages from brokers that failed", 1, tag);
    }

    @Override
    public void started(String processType) {
        count("waybill.process.started", "Processes that have begun", 1, Tags.of("type", processType));
    }

    @Override
    public void retried(String processType, String step, int attempt) {
        commandRetried(step);
    }

    @Override
    public void ended(String processType, ProcessStatus status) {
        Tags tag = Tags.of("type", processType, "status", status.name().toLowerCase(Locale.ROOT));
        count("waybill.process.ended", "Processes that came to their end, by how it was", 1, tag);
    }

    private void commandRetried(String type) {
        count("waybill.command.retries", "Commands that were tried once more", 1, Tags.of("type", type));
    }

    private void count(String name, String description, int amount, Tags more) {
        registries.forEach(registry -> Counter.builder(name)
                .description(description)
                .tags(tags.and(more))
                .register(registry)
                .increment(amount));
    }
}
