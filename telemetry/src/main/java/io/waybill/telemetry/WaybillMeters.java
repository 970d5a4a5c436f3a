package io.waybill.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.observe.InboxListener;
import io.waybill.observe.ObservedCall;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import io.waybill.process.ProcessListener;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessStore.Active;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The meters of one instance. Its listeners count while the instance works; {@link #watch} gives it what to look at when somebody asks
 * for the backlog. It may be bound before or after, and to several registries.
 *
 * <p><i>Threads:</i> safe.
 */
public final class WaybillMeters implements MeterBinder, RelayListener, InboxListener, ProcessListener {

    private final Tags tags;
    private final BacklogLook look;
    private final RelayMeters relay;
    private final OutboxMeters outbox;
    private final HandlerMeters handlers;
    private final ProcessMeters processes;
    private final BoundedTag types = new BoundedTag();
    private final Set<MeterRegistry> registries = new CopyOnWriteArraySet<>();
    private volatile IntSupplier stuck = () -> 0;
    private volatile LongSupplier unrouted = () -> 0;
    private volatile IntSupplier shards = () -> 0;

    /**
     * The meters of an instance, all with these tags.
     *
     * @param tags tell it from the other instances of a process; none where it is the only one
     */
    public WaybillMeters(Clock clock, Tags tags) {
        var destinations = new BoundedTag();
        this.tags = tags;
        this.processes = new ProcessMeters(tags);
        this.look = new BacklogLook(clock, this::show);
        this.relay = new RelayMeters(clock, tags, destinations);
        this.handlers = new HandlerMeters(tags, destinations);
        this.outbox = new OutboxMeters(clock, tags, destinations, look::outbox);
    }

    /**
     * Where the backlog is, and who knows what waits.
     *
     * @param active counts unfinished processes
     */
    public void watch(
            OutboxOperations outbox, FailedMessages failed, WaitingSource waiting, Supplier<List<Active>> active) {
        look.watch(outbox, failed, waiting, active);
    }

    private void show(BacklogLook.Look seen) {
        outbox.refresh();
        processes.show(seen.processes());
    }

    /** How many processes the instance has found stuck. */
    public void watchStuck(IntSupplier processes) {
        stuck = processes;
    }

    /** How many messages the instance has found waiting for destinations that nobody serves. */
    public void watchUnrouted(LongSupplier messages) {
        unrouted = messages;
    }

    /** How many shards the relays of the instance own. */
    public void watchShards(IntSupplier owned) {
        shards = owned;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (registries.add(registry)) {
            relay.bindTo(registry);
            handlers.bindTo(registry);
            outbox.bindTo(registry);
            processes.bindTo(registry);
            gauge(registry, "waybill.relay.shards", "Shards that the relays here own", () -> shards.getAsInt());
            gauge(
                    registry,
                    "waybill.outbox.unrouted",
                    "Messages that wait for a destination which nobody serves",
                    () -> unrouted.getAsLong());
            gauge(
                    registry,
                    "waybill.process.stuck",
                    "Unfinished processes that wait for something that does not exist",
                    () -> stuck.getAsInt());
            gauge(
                    registry,
                    "waybill.dead.letters",
                    "Messages that wait for a decision: those of the outbox that were refused for the last time, and"
                            + " those that could not be handled",
                    () -> look.deadLetters());
            gauge(
                    registry,
                    "waybill.failed.messages",
                    "Messages that could not be handled",
                    () -> look.failedMessages());
        }
    }

    private void gauge(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).tags(tags).register(registry);
    }

    @Override
    public ObservedCall handling(Envelope message) {
        return handlers.isBound() ? handlers.begin(message.destination()) : ObservedCall.NONE;
    }

    @Override
    public void published(List<Envelope> messages, Duration lag) {
        relay.published(messages, lag);
    }

    @Override
    public void unsettled(int messages) {
        relay.unsettled(messages);
    }

    @Override
    public void retried(Envelope message, int attempts, String error, Duration delay) {
        relay.retried(message, attempts, error, delay);
        if (message.category() == Category.COMMAND) {
            commandRetried(message.type());
        }
    }

    @Override
    public void failed(Envelope message, int attempts, String error) {
        relay.failed(message, attempts, error);
    }

    @Override
    public void leasesLost(int lost) {
        relay.leasesLost(lost);
    }

    @Override
    public void crashed(Throwable error) {
        relay.crashed(error);
    }

    @Override
    public void keysRepaired(int keys) {
        relay.keysRepaired(keys);
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
    public void stepEnded(String processType, String step, StepOutcome outcome) {
        Tags tag = Tags.of(
                "type", processType, "step", step, "outcome", outcome.name().toLowerCase(Locale.ROOT));
        count("waybill.process.steps", "Steps of processes that were completed, failed or compensated", 1, tag);
    }

    @Override
    public void ended(String processType, ProcessStatus status) {
        Tags tag = Tags.of("type", processType, "status", status.name().toLowerCase(Locale.ROOT));
        count("waybill.process.ended", "Processes that came to their end, by how it was", 1, tag);
    }

    private void commandRetried(String type) {
        count("waybill.command.retries", "Commands that were tried once more", 1, Tags.of("type", types.value(type)));
    }

    private void count(String name, String description, int amount, Tags more) {
        registries.forEach(registry -> Counter.builder(name)
                .description(description)
                .tags(tags.and(more))
                .register(registry)
                .increment(amount));
    }
}
