package io.waybill.runtime;

import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.command.handler.HandlerCandidate;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.schema.FailedTable;
import io.waybill.jdbc.schema.InboxTable;
import io.waybill.jdbc.schema.InitializeSchema;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.InboxListener;
import io.waybill.observe.OutboxListener;
import io.waybill.observe.RelayListener;
import io.waybill.ops.WaitingWatch;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.outbox.Unrouted;
import io.waybill.process.ProcessListener;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.store.Transactions;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Configures an instance; {@link #start} starts it. */
public final class WaybillBuilder {

    final DataSource dataSource;
    final List<Route> routes = new ArrayList<>();
    final List<AutoCloseable> opened = new ArrayList<>();
    final List<HandlerCandidate> handlers = new ArrayList<>();
    final List<BiFunction<Transactions, Outbox, ?>> handlersOn = new ArrayList<>();
    final List<ProcessConfiguration> processes = new ArrayList<>();

    @Nullable
    Transactions transactions;

    CommandNaming commandNaming = CommandNaming.DEFAULT;
    CommandRetries commandRetries = CommandRetries.DEFAULT;
    CommandConsumers consumers = CommandConsumers.NONE;
    JdbcStoreOptions storeOptions = JdbcStoreOptions.DEFAULT;
    OutboxOptions outboxOptions = OutboxOptions.DEFAULT;
    RelayOptions relayOptions = RelayOptions.DEFAULT;
    RelayListener listener = RelayListener.NONE;
    Unrouted unrouted = Unrouted.WARN;
    String pool = LeaseStore.DEFAULT_POOL;
    ReceivingOptions receivingOptions = ReceivingOptions.DEFAULT;
    InboxListener inboxListener = InboxListener.NONE;
    ProcessListener processListener = ProcessListener.NONE;
    Retention retention = Retention.DEFAULT;
    InitializeSchema initializeSchema = InitializeSchema.ALWAYS;
    int relays = 1;
    boolean signals = true;
    Duration cleanupInterval = Duration.ofMinutes(10);
    Duration warnAfter = WaitingWatch.PATIENCE;

    WaybillBuilder(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Sends messages for these destinations to this broker; {@code *} does not cross a dot, {@code **} does. */
    public WaybillBuilder route(String pattern, Transport transport) {
        return route(Route.of(pattern, transport));
    }

    /** The same with your own publisher, which all relays share. */
    public WaybillBuilder route(String pattern, Publisher publisher) {
        return route(Route.of(pattern, publisher));
    }

    /**
     * The same by the broker's URL: {@code kafka://localhost:9092}, {@code stdout:}. It is closed with this instance. {@code local:}
     * leaves these destinations to handlers in this process, with their own attempts.
     */
    public WaybillBuilder route(String pattern, String url) {
        return route(pattern, url, route -> route);
    }

    /** The same with options of the route: {@code route -> route.maxAttempts(3)}. */
    public WaybillBuilder route(String pattern, String url, UnaryOperator<Route> more) {
        if (TransportUrl.parse(url).scheme().equals(Transports.LOCAL)) {
            return route(Route.local(pattern));
        }
        Transport transport = Transports.open(url);
        opened.add(transport);
        return route(more.apply(Route.of(pattern, transport)));
    }

    public WaybillBuilder route(Route route) {
        routes.add(route);
        return this;
    }

    /** Joins the transactions of a framework; without it {@link Waybill#transactions} opens them on the data source. */
    public WaybillBuilder transactions(Transactions transactions) {
        this.transactions = transactions;
        return this;
    }

    /** Services whose methods handle commands: public, with a command as their only parameter. */
    public WaybillBuilder handlers(Object... services) {
        return handlers(Arrays.stream(services).map(HandlerCandidate::of).toList());
    }

    /** The same for beans of a framework, which may wrap them, or create them lazily. */
    public WaybillBuilder handlers(Collection<HandlerCandidate> beans) {
        handlers.addAll(beans);
        return this;
    }

    /**
     * A service that writes in the transaction of its command: {@code transactions.current().unwrap(Connection.class)}. It is
     * created before the first command arrives.
     */
    public WaybillBuilder handlers(Function<Transactions, ?> service) {
        return handlers((transactions, outbox) -> service.apply(transactions));
    }

    /** The same for one that publishes events too, in that transaction: {@code outbox.publish(event)}. */
    public WaybillBuilder handlers(BiFunction<Transactions, Outbox, ?> service) {
        handlersOn.add(service);
        return this;
    }

    /** Definitions of the processes that this instance starts and continues. A definition may handle commands itself, like a service. */
    public WaybillBuilder processes(ProcessConfiguration... definitions) {
        processes.addAll(Arrays.asList(definitions));
        return this;
    }

    /** The names of command queues: {@code APP.CMD.CREATEORDER.Q} by default. */
    public WaybillBuilder commandNaming(CommandNaming naming) {
        commandNaming = naming;
        return this;
    }

    /** When failed commands are retried. */
    public WaybillBuilder commandRetries(CommandRetries retries) {
        commandRetries = retries;
        return this;
    }

    /** Receives commands for the handlers of this process from this broker. */
    public WaybillBuilder commandsFrom(String url) {
        consumers = consumers.commandsFrom(url);
        return this;
    }

    /** How many batches of commands are received from each queue of a broker in parallel: one by default. */
    public WaybillBuilder consumers(int concurrency) {
        consumers = consumers.concurrency(concurrency);
        return this;
    }

    /** How many commands or replies a batch from a broker has at most: 100 by default. */
    public WaybillBuilder consumerBatchSize(int messages) {
        consumers = consumers.batchSize(messages);
        return this;
    }

    /**
     * Receives commands from a broker in any order, also those of one business key. Several workers on one queue of RabbitMQ need
     * this, or the URL's {@code single-active-consumer=true}.
     */
    public WaybillBuilder commandsInAnyOrder() {
        consumers = consumers.inAnyOrder();
        return this;
    }

    /** Receives the replies to commands that were routed to this broker. */
    public WaybillBuilder repliesFrom(String url) {
        consumers = consumers.repliesFrom(url);
        return this;
    }

    /** Refuses messages for these destinations that have no partition key. */
    public WaybillBuilder ordered(String pattern) {
        outboxOptions = outboxOptions.ordered(pattern);
        return this;
    }

    /** Numbers the messages of each key of these destinations, so that a receiver can tell a gap. */
    public WaybillBuilder numbered(String pattern) {
        outboxOptions = outboxOptions.numbered(pattern);
        return this;
    }

    /** Writes payloads that are objects; without it the codec on the class path does. */
    public WaybillBuilder codec(PayloadCodec codec) {
        outboxOptions = outboxOptions.codec(codec);
        return this;
    }

    /**
     * What happens to a message for a destination that nothing serves: no route, subscriber or handler here, and no live relay. By
     * default it waits and the log warns (WB-121); {@link Unrouted#REFUSE} refuses it before it is written.
     */
    public WaybillBuilder unrouted(Unrouted unrouted) {
        this.unrouted = unrouted;
        return this;
    }

    /** How long published messages are kept: a week by default; zero removes each when it is published. */
    public WaybillBuilder retention(Duration retention) {
        storeOptions = storeOptions.withRetention(retention);
        return this;
    }

    /** How often messages past their retention are removed, while relays run here: every ten minutes by default. */
    public WaybillBuilder cleanupEvery(Duration interval) {
        cleanupInterval = interval;
        return this;
    }

    /** How messages are received: the attempts of a handler, and what happens to the key of a failed message. */
    public WaybillBuilder receiving(ReceivingOptions options) {
        receivingOptions = options;
        return this;
    }

    /**
     * How long inbox rows are kept: 30 days by default. It must be longer than the redelivery window of {@link #receiving}, or this
     * instance does not start.
     */
    public WaybillBuilder inboxRetention(Duration retention) {
        this.retention = this.retention.inbox(retention);
        return this;
    }

    /**
     * How long finished commands are kept, with their replies and idempotency keys: 30 days by default. Those of a process stay as
     * long as the process. A worker behind a broker must keep them longer than the longest process lasts, and longer than the
     * redelivery window of {@link #receiving}.
     */
    public WaybillBuilder commandRetention(Duration retention) {
        this.retention = this.retention.commands(retention);
        return this;
    }

    /** How long finished processes are kept, with their logs: 30 days by default. */
    public WaybillBuilder processRetention(Duration retention) {
        this.retention = this.retention.processes(retention);
        return this;
    }

    /** Uses this table as the inbox. */
    public WaybillBuilder inboxTable(InboxTable table) {
        storeOptions = storeOptions.withInboxTable(table);
        return this;
    }

    /**
     * How long the transaction of a receiver may be idle, while its handler waits for something else, before the database ends it: 2
     * minutes by default, zero means no limit. A frozen process holds up its partition or queue no longer than this.
     */
    public WaybillBuilder receivingIdleTimeout(Duration timeout) {
        storeOptions = storeOptions.withReceivingIdleTimeout(timeout);
        return this;
    }

    /** Stores failed messages in this table. */
    public WaybillBuilder failedTable(FailedTable table) {
        storeOptions = storeOptions.withFailedTable(table);
        return this;
    }

    /** Adds a listener for messages that brokers delivered. */
    public WaybillBuilder inboxListener(InboxListener listener) {
        inboxListener = inboxListener.and(listener);
        return this;
    }

    /** Adds a listener for processes. */
    public WaybillBuilder processListener(ProcessListener listener) {
        processListener = processListener.and(listener);
        return this;
    }

    public WaybillBuilder tablePrefix(String prefix) {
        storeOptions = storeOptions.withPrefix(prefix);
        return this;
    }

    /** The maximum size of a payload in bytes: an eighth of the heap by default. A message with a larger one is not read and fails. */
    public WaybillBuilder maxPayload(long bytes) {
        storeOptions = storeOptions.withMaxPayload(bytes);
        return this;
    }

    /** Accepts a database with several primaries, such as Galera or CockroachDB. Messages of a key may then overtake each other. */
    public WaybillBuilder acceptUnorderedIds() {
        storeOptions = storeOptions.acceptingUnorderedIds();
        return this;
    }

    /** Whether the tables are created, or only checked: created by default. */
    public WaybillBuilder initializeSchema(InitializeSchema mode) {
        initializeSchema = mode;
        return this;
    }

    public WaybillBuilder relay(RelayOptions options) {
        relayOptions = options;
        return this;
    }

    /**
     * Which relays share the work with those of this instance: by default all on the same tables, whatever their routes and handlers. No
     * destination may be served by two pools.
     */
    public WaybillBuilder pool(String name) {
        if (!LeaseStore.isPoolName(name)) {
            throw new WaybillException("The pool '" + name + "' must have 1 to 60 letters, digits, '.', '_' or '-'.");
        }
        pool = name;
        return this;
    }

    /**
     * How many relays run in this process, each on a thread of its own: one by default, zero only appends. The data source
     * should have twice the connections that {@link PoolUse} counts for them.
     */
    public WaybillBuilder relays(int count) {
        relays = count;
        return this;
    }

    /** Adds a listener for appended messages, except those on a connection that the caller commits. */
    public WaybillBuilder outboxListener(OutboxListener listener) {
        outboxOptions = outboxOptions.listener(outboxOptions.listener().and(listener));
        return this;
    }

    /** Adds a listener for relays. */
    public WaybillBuilder listener(RelayListener listener) {
        this.listener = this.listener.and(listener);
        return this;
    }

    /**
     * How long a message may wait before log, health and metrics report it as unusual: a minute by default. Replies and steps may
     * wait five times as long.
     */
    public WaybillBuilder warnAfter(Duration patience) {
        if (patience.isZero() || patience.isNegative()) {
            throw new WaybillException("warn-after (" + patience + ") must be longer than zero.");
        }
        warnAfter = patience;
        return this;
    }

    /** Disables signals (PostgreSQL only): relays in other processes find a message at their next sweep. */
    public WaybillBuilder withoutSignals() {
        signals = false;
        return this;
    }

    /**
     * Creates or checks the tables, and starts the relays. The JVM stays alive until the instance is closed, and closes it on Ctrl-C
     * or SIGTERM. If something else manages the lifecycle, call {@link #build} and {@link Waybill#start} instead.
     */
    public Waybill start() {
        return build().startForJvm();
    }

    /** Creates or checks the tables. You may append messages; none is published or handled before {@link Waybill#start}. */
    public Waybill build() {
        return new WaybillFactory(this).waybill();
    }
}
