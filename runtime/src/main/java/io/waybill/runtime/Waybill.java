package io.waybill.runtime;

import io.waybill.command.CommandBus;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRepository;
import io.waybill.inbox.Handler;
import io.waybill.inbox.Subscriber;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.sql.JdbcTransactions;
import io.waybill.message.MessageTypes;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.FailedOverview;
import io.waybill.ops.UnroutedDestination;
import io.waybill.ops.UnroutedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.process.ProcessManager;
import io.waybill.store.Transactions;
import io.waybill.transport.Broker;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import java.sql.Connection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * An instance of Waybill on one database: an outbox, relays that publish committed messages, and handlers that take effect once.
 *
 * <pre>{@code
 * var waybill = Waybill.on(dataSource).route("orders.*", publisher).start();
 * }</pre>
 *
 * <p><i>Threads:</i> safe. Closing finishes messages in flight and releases the shards to other instances.
 */
public final class Waybill implements AutoCloseable {

    private final JdbcStore store;
    private final Transactions transactions;
    private final OutboxOptions outboxOptions;
    private final Subscriptions subscriptions;
    private final CommandRuntime commandRuntime;
    private final ProcessManager processes;
    private final UnroutedMessages unrouted;
    private final Lifecycle lifecycle;
    private final List<WaitingSource> waiting;
    private final BacklogWatch backlog;

    Waybill(
            JdbcStore store,
            Transactions transactions,
            OutboxOptions outboxOptions,
            Subscriptions subscriptions,
            CommandRuntime commandRuntime,
            ProcessManager processes,
            UnroutedMessages unrouted,
            Lifecycle lifecycle,
            List<WaitingSource> waiting) {
        this.waiting = waiting;
        this.backlog = new BacklogWatch(store, waiting, Clock.systemUTC());
        this.store = store;
        this.transactions = transactions;
        this.outboxOptions = outboxOptions;
        this.lifecycle = lifecycle;
        this.subscriptions = subscriptions;
        this.commandRuntime = commandRuntime;
        this.processes = processes;
        this.unrouted = unrouted;
    }

    /** Starts the configuration of an instance on this database. */
    public static WaybillBuilder on(DataSource dataSource) {
        return new WaybillBuilder(dataSource);
    }

    /** The outbox for code that runs inside {@code transactions().inTransaction(...)}. */
    public Outbox outbox() {
        return Outbox.in(store.outboxStore(), transactions, outboxOptions);
    }

    /** The outbox for the transaction of this connection, which the caller commits. */
    public Outbox outbox(Connection connection) {
        return Outbox.in(store.outboxStore(), JdbcTransactions.of(connection), outboxOptions);
    }

    public Transactions transactions() {
        return transactions;
    }

    public JdbcStore store() {
        return store;
    }

    /**
     * Handles each message of a destination without a route to a broker once, in the transaction that removes it from the outbox.
     * Several handlers of a destination each get every message, independent of each other.
     *
     * @param handler the name of the handler in the inbox; do not change it later
     * @param type the class of the payload: {@code String}, {@code byte[]}, or a class for the codec
     */
    public <T> void subscribe(String destination, String handler, Class<T> type, Handler<T> work) {
        subscriptions.locally(destination, Subscriber.of(handler, type, outboxOptions.codec(), work));
    }

    /**
     * Handles each message from a broker once. The group is the name of the handler in the inbox.
     *
     * @return to stop it before this instance is closed
     */
    public <T> Subscription subscribe(Broker broker, SubscriptionOptions options, Class<T> type, Handler<T> work) {
        return subscriptions.from(broker, options, Subscriber.of(options.group(), type, outboxOptions.codec(), work));
    }

    /** The same for several types of messages from one source. */
    public Subscription subscribe(
            Broker broker, SubscriptionOptions options, MessageTypes types, Handler<Object> work) {
        return subscriptions.from(broker, options, Subscriber.of(options.group(), types, outboxOptions.codec(), work));
    }

    /** The same by the broker's URL: {@code kafka://localhost:9092}. It is closed with this instance. */
    public <T> Subscription subscribe(String url, SubscriptionOptions options, Class<T> type, Handler<T> work) {
        return subscriptions.from(url, options, Subscriber.of(options.group(), type, outboxOptions.codec(), work));
    }

    /** Accepts commands for handlers of this process or of others. */
    public CommandBus commandBus() {
        return commandRuntime.bus();
    }

    /** Which method handles which type of command in this process. */
    public AutoCommandHandlerRegistry commandHandlers() {
        return commandRuntime.handlers();
    }

    /** Reads the current state of commands, including finished ones until they are removed. */
    public CommandRepository commands() {
        return store.commandStore()::find;
    }

    /** Starts, queries and operates processes. */
    public ProcessManager processManager() {
        return processes;
    }

    /** The messages that wait for destinations that nothing serves, at most a minute old. */
    public List<UnroutedDestination> unrouted() {
        return unrouted.found();
    }

    /** Lists, retries, edits and discards failed messages. */
    public FailedMessages failedMessages() {
        return new FailedMessages(store.failedStore(), store.outboxStore(), transactions, lifecycle::wake);
    }

    /** The state of all messages that could not be handled or published, and what happens to them next. */
    public FailedOverview failedOverview() {
        return store.failedOverview();
    }

    /** Starts publishing and handling, after {@link WaybillBuilder#build} or again after {@link #stop}. */
    public void start() {
        lifecycle.start();
    }

    /**
     * Finishes messages in flight and releases the shards to other instances. You may still append messages; another instance
     * publishes them, or this one after {@link #start}.
     */
    public void stop() {
        subscriptions.close();
        lifecycle.stop();
    }

    /** Starts, and keeps the JVM alive until it is closed. */
    Waybill startForJvm() {
        try {
            start();
        } catch (RuntimeException | Error e) {
            // What did start must neither hold shards nor keep the JVM.
            closeAfter(e);
            throw e;
        }
        lifecycle.atEnd(new JvmLifetime(this::close));
        return this;
    }

    private void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Whether the instance works: no relay has ended unexpectedly or hangs. */
    public boolean isAlive() {
        return lifecycle.isAlive();
    }

    /** How many of the 64 shards the relays of this instance own. It asks nobody. */
    public int shards() {
        return lifecycle.shards();
    }

    /** Everything that waits, normal or unusual: since when, why, and what ends it. */
    public List<WaitingItem> waiting() {
        return WaitingSource.all(waiting);
    }

    /** How much waits and how many relays are alive, at most five seconds old: for probes. */
    public Backlog backlog() {
        return backlog.look();
    }

    /** Paused subscriptions and the reasons, by group and source; empty if all receive. They retry automatically. */
    public Map<String, String> subscriptionProblems() {
        return subscriptions.problems();
    }

    @Override
    public void close() {
        stop();
        lifecycle.close();
    }

    static void closeQuietly(AutoCloseable part) {
        try {
            part.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
