package io.waybill.plain;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.command.AutoCommandHandlerRegistry;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandReceiver;
import io.waybill.command.CommandRetries;
import io.waybill.command.Commanding;
import io.waybill.command.HandlerCandidate;
import io.waybill.inbox.Handler;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.Subscribers;
import io.waybill.jdbc.FailedTable;
import io.waybill.jdbc.InboxTable;
import io.waybill.jdbc.InitializeSchema;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.JdbcStoreOptions;
import io.waybill.jdbc.JdbcTransactions;
import io.waybill.message.MessageTypes;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.InboxListener;
import io.waybill.observe.OutboxListener;
import io.waybill.observe.RelayListener;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.process.BusCommands;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessDefinitions;
import io.waybill.process.ProcessListener;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.RelayOptions;
import io.waybill.relay.Route;
import io.waybill.relay.Routes;
import io.waybill.store.LeaseStore;
import io.waybill.store.Transactions;
import io.waybill.transport.Broker;
import io.waybill.transport.Publisher;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.Transports;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Waybill on one database: an outbox to append to, relays that send what was committed, and handlers whose effects happen once.
 *
 * <pre>{@code
 * var waybill = Waybill.on(dataSource).route("orders.*", publisher).start();
 * }</pre>
 *
 * <p><i>Threads:</i> safe. Closing finishes what is being sent and gives the shards to other instances.
 */
public final class Waybill implements AutoCloseable {

    private final JdbcStore store;
    private final Transactions transactions;
    private final OutboxOptions outboxOptions;
    private final Subscriptions subscriptions;
    private final Commanding commanding;
    private final ProcessManager processes;
    private final Machinery machinery;

    private Waybill(
            JdbcStore store,
            Transactions transactions,
            OutboxOptions outboxOptions,
            Subscriptions subscriptions,
            Commanding commanding,
            ProcessManager processes,
            Machinery machinery) {
        this.store = store;
        this.transactions = transactions;
        this.outboxOptions = outboxOptions;
        this.machinery = machinery;
        this.subscriptions = subscriptions;
        this.commanding = commanding;
        this.processes = processes;
    }

    /** Starts to describe an instance on this database. */
    public static Builder on(DataSource dataSource) {
        return new Builder(dataSource);
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
     * Handles messages that are appended for a destination which no route leads to a broker, each once, in the transaction that takes
     * it out of the outbox. Several handlers of a destination get each message, and know nothing of each other.
     *
     * @param handler the name under which the handling is remembered; give it once and never change it
     * @param type what payloads are read into: {@code String}, {@code byte[]}, or a class for the codec
     */
    public <T> void subscribe(String destination, String handler, Class<T> type, Handler<T> work) {
        subscriptions.locally(destination, Subscriber.of(handler, type, outboxOptions.codec(), work));
    }

    /**
     * Handles messages from a broker, each once. The group is the name under which the handling is remembered.
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
        return commanding.bus();
    }

    /** Starts processes, and shows and changes those that run. */
    public ProcessManager processManager() {
        return processes;
    }

    /** What could not be handled: look, retry, mend, discard. */
    public FailedMessages failedMessages() {
        return new FailedMessages(store.failedStore(), store.outboxStore(), transactions, machinery::wake);
    }

    /** Starts what sends and handles messages: once more after {@link #stop}, and for the first time after {@link Builder#build}. */
    public void start() {
        machinery.start();
    }

    /**
     * Finishes what is being sent and handled, and gives the shards to other instances. Messages may still be appended; this or
     * another instance sends them once it is started.
     */
    public void stop() {
        subscriptions.close();
        machinery.stop();
    }

    /** Whether what was started works: no relay has ended by itself or hangs. */
    public boolean isAlive() {
        return machinery.isAlive();
    }

    @Override
    public void close() {
        stop();
        machinery.close();
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

    /** Describes an instance; {@link #start} makes it run. */
    public static final class Builder {

        /** How much of what is due is done at once. */
        private static final int AT_ONCE = 100;

        private static final Duration NO_ANSWER = Duration.ofSeconds(2);

        private final DataSource dataSource;
        private final List<Route> routes = new ArrayList<>();
        private final List<AutoCloseable> opened = new ArrayList<>();
        private final List<HandlerCandidate> handlers = new ArrayList<>();
        private final List<BiFunction<Transactions, Outbox, ?>> handlersOn = new ArrayList<>();
        private final List<ProcessConfiguration> processes = new ArrayList<>();
        private @Nullable Transactions transactions;
        private CommandNaming commandNaming = CommandNaming.DEFAULT;
        private CommandRetries commandRetries = CommandRetries.DEFAULT;
        private @Nullable String commandsFrom;
        private @Nullable String repliesFrom;
        private int consumers = 1;
        private boolean commandsInOrder = true;
        private JdbcStoreOptions storeOptions = JdbcStoreOptions.DEFAULT;
        private OutboxOptions outboxOptions = OutboxOptions.DEFAULT;
        private RelayOptions relayOptions = RelayOptions.DEFAULT;
        private RelayListener listener = RelayListener.NONE;
        private String pool = LeaseStore.DEFAULT_POOL;
        private ReceivingOptions receivingOptions = ReceivingOptions.DEFAULT;
        private InboxListener inboxListener = InboxListener.NONE;
        private ProcessListener processListener = ProcessListener.NONE;
        private Retention retention = Retention.DEFAULT;
        private InitializeSchema initializeSchema = InitializeSchema.ALWAYS;
        private int relays = 1;
        private boolean signals = true;
        private Duration cleanupInterval = Duration.ofMinutes(10);

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** Sends messages for these destinations to this broker; {@code *} does not cross a dot, {@code **} does. */
        public Builder route(String pattern, Transport transport) {
            return route(Route.of(pattern, transport));
        }

        /** The same for a publisher of one's own, which all relays share. */
        public Builder route(String pattern, Publisher publisher) {
            return route(Route.of(pattern, publisher));
        }

        /**
         * The same by the broker's URL: {@code kafka://localhost:9092}, {@code stdout:}. It is closed with this instance.
         * {@code local:} leaves these destinations to handlers in this process, with their own patience.
         */
        public Builder route(String pattern, String url) {
            return route(pattern, url, route -> route);
        }

        /** The same with a format, a name, or another patience: {@code route -> route.maxAttempts(3)}. */
        public Builder route(String pattern, String url, UnaryOperator<Route> more) {
            if (TransportUrl.parse(url).scheme().equals(Transports.LOCAL)) {
                return route(Route.local(pattern));
            }
            Transport transport = Transports.open(url);
            opened.add(transport);
            return route(more.apply(Route.of(pattern, transport)));
        }

        public Builder route(Route route) {
            routes.add(route);
            return this;
        }

        /** Joins the transactions of a framework; without it {@link Waybill#transactions} opens them on the data source. */
        public Builder transactions(Transactions transactions) {
            this.transactions = transactions;
            return this;
        }

        /** Services whose methods handle commands: public, with a command as their only parameter. */
        public Builder handlers(Object... services) {
            return handlers(Arrays.stream(services).map(HandlerCandidate::of).toList());
        }

        /** The same for beans of a framework, which may wrap them, or make them when they are needed first. */
        public Builder handlers(Collection<HandlerCandidate> beans) {
            handlers.addAll(beans);
            return this;
        }

        /**
         * A service that writes in the transaction of its command: {@code transactions.current().unwrap(Connection.class)}. It is
         * made before the first command comes.
         */
        public Builder handlers(Function<Transactions, ?> service) {
            return handlers((transactions, outbox) -> service.apply(transactions));
        }

        /** The same for one that publishes events too, in that transaction: {@code outbox.publish(event)}. */
        public Builder handlers(BiFunction<Transactions, Outbox, ?> service) {
            handlersOn.add(service);
            return this;
        }

        /** Processes that this instance starts and goes on with. */
        public Builder processes(ProcessConfiguration... definitions) {
            processes.addAll(Arrays.asList(definitions));
            return this;
        }

        /** What the queues of commands are called: {@code APP.CMD.CREATEORDER.Q} by default. */
        public Builder commandNaming(CommandNaming naming) {
            commandNaming = naming;
            return this;
        }

        /** When commands that failed are tried again. */
        public Builder commandRetries(CommandRetries retries) {
            commandRetries = retries;
            return this;
        }

        /** Takes commands for the handlers of this process from this broker too. */
        public Builder commandsFrom(String url) {
            commandsFrom = url;
            return this;
        }

        /** How many batches of commands are taken from each queue of a broker at once: one by default. */
        public Builder consumers(int concurrency) {
            consumers = concurrency;
            return this;
        }

        /**
         * Takes commands from a broker in any order, also those of one business key. Several workers on one queue of RabbitMQ need
         * this, or the URL's {@code single-active-consumer=true}: without either RabbitMQ keeps the order only for a single one.
         */
        public Builder commandsInAnyOrder() {
            commandsInOrder = false;
            return this;
        }

        /** Takes the answers to commands that were routed to this broker. */
        public Builder repliesFrom(String url) {
            repliesFrom = url;
            return this;
        }

        /** Refuses messages for these destinations that have no partition key. */
        public Builder ordered(String pattern) {
            outboxOptions = outboxOptions.ordered(pattern);
            return this;
        }

        /** Numbers the messages of each key of these destinations, so that a receiver can tell a gap. */
        public Builder numbered(String pattern) {
            outboxOptions = outboxOptions.numbered(pattern);
            return this;
        }

        /** Writes payloads that are objects; without it the codec on the class path does. */
        public Builder codec(PayloadCodec codec) {
            outboxOptions = outboxOptions.codec(codec);
            return this;
        }

        /** How long dispatched messages are kept: a week by default, zero removes them as they are sent. */
        public Builder retention(Duration retention) {
            storeOptions = storeOptions.withRetention(retention);
            return this;
        }

        /** How often messages whose retention is over are removed, while relays run here: every ten minutes by default. */
        public Builder cleanupEvery(Duration interval) {
            cleanupInterval = interval;
            return this;
        }

        /** How messages are received: how often a handler is tried, what becomes of the key of a failed message. */
        public Builder receiving(ReceivingOptions options) {
            receivingOptions = options;
            return this;
        }

        /**
         * How long the inbox remembers what was handled: 30 days by default. It must be longer than the redelivery window of
         * {@link #receiving}, or this instance does not start.
         */
        public Builder inboxRetention(Duration retention) {
            this.retention = this.retention.inbox(retention);
            return this;
        }

        /**
         * How long commands that are over are kept, with their answers and their idempotency keys: 30 days by default. Those of a
         * process stay as long as the process. A worker behind a broker must keep them longer than the longest process lasts, and
         * longer than the redelivery window of {@link #receiving}.
         */
        public Builder commandRetention(Duration retention) {
            this.retention = this.retention.commands(retention);
            return this;
        }

        /** How long finished processes are kept, with their logs: 30 days by default. */
        public Builder processRetention(Duration retention) {
            this.retention = this.retention.processes(retention);
            return this;
        }

        /** Notes what was handled in this table. */
        public Builder inboxTable(InboxTable table) {
            storeOptions = storeOptions.withInboxTable(table);
            return this;
        }

        /** Keeps what could not be handled in this table. */
        public Builder failedTable(FailedTable table) {
            storeOptions = storeOptions.withFailedTable(table);
            return this;
        }

        /** Is told what became of messages that brokers delivered. Listeners that were given before are told too. */
        public Builder inboxListener(InboxListener listener) {
            inboxListener = inboxListener == InboxListener.NONE ? listener : inboxListener.and(listener);
            return this;
        }

        /** Is told how processes go. Listeners that were given before are told too. */
        public Builder processListener(ProcessListener listener) {
            processListener = processListener == ProcessListener.NONE ? listener : processListener.and(listener);
            return this;
        }

        public Builder tablePrefix(String prefix) {
            storeOptions = storeOptions.withPrefix(prefix);
            return this;
        }

        /** Whether the tables are created, or only checked: created by default. */
        public Builder initializeSchema(InitializeSchema mode) {
            initializeSchema = mode;
            return this;
        }

        public Builder relay(RelayOptions options) {
            relayOptions = options;
            return this;
        }

        /**
         * Which relays share the work with those of this instance. Instances with the same routes and subscribers are a pool; one
         * with others, on the same tables, needs a pool of its own, and no destination may be served by two pools.
         */
        public Builder pool(String name) {
            pool = name;
            return this;
        }

        /**
         * How many relays run in this process, each on a thread of its own: one by default, zero only appends. The data source
         * should have twice the connections that {@link PoolUse} counts for them.
         */
        public Builder relays(int count) {
            relays = count;
            return this;
        }

        /** Is told what was appended; what is appended on a connection that the caller commits is not told. */
        public Builder outboxListener(OutboxListener listener) {
            outboxOptions = outboxOptions.listener(listener);
            return this;
        }

        /** Is told what the relays do. Listeners that were given before are told too. */
        public Builder listener(RelayListener listener) {
            this.listener = this.listener == RelayListener.NONE ? listener : this.listener.and(listener);
            return this;
        }

        /** Without signals, relays in other processes find a message with their next sweep (PostgreSQL only has signals). */
        public Builder withoutSignals() {
            signals = false;
            return this;
        }

        /** Creates or checks the tables, and starts the relays. */
        public Waybill start() {
            Waybill waybill = build();
            waybill.start();
            return waybill;
        }

        /** Creates or checks the tables. Messages may be appended; none is sent or handled before {@link Waybill#start}. */
        public Waybill build() {
            retention.check(receivingOptions, commandsFrom != null, !processes.isEmpty());
            JdbcStore store =
                    JdbcStore.on(dataSource, storeOptions, Time.system()).initializeSchema(initializeSchema);
            Transactions joined = transactions == null ? store.transactions() : transactions;
            var machinery = new Machinery(signals ? store.signals() : Optional.empty());
            OutboxOptions waking = outboxOptions.wake(machinery::wake);
            Outbox outbox = Outbox.in(store.outboxStore(), joined, waking);
            Routes all = Routes.of(routes.toArray(Route[]::new));
            var inbox = new Inbox(store.inboxStore(), joined, outbox);
            var subscriptions = new Subscriptions(subscribers(all, store, inbox), receivingOptions);
            Commanding commanding = commanding(store, joined, outbox);
            commanding.routes().forEach(all::append);
            ProcessManager processManager = processManager(store, joined, outbox, commanding, all);
            var receiver = new CommandReceiver(
                    commanding, inbox, store.outboxStore(), store.waitingKeys(), store.failedStore(), inboxListener);
            receiver.routes().forEach(all::prepend);
            machinery
                    .relays(relays, () -> loop(store, all, listener.and(commanding.progress(all))))
                    .part(() -> housekeeping(store))
                    .part(() -> Ticking.start(() -> {
                        commanding.expire(AT_ONCE);
                        processManager.runDue(AT_ONCE);
                    }))
                    .atStart(() -> receiveCommands(receiver, subscriptions, commanding))
                    .atEnd(commanding)
                    .atEnd(opened);
            return new Waybill(store, joined, waking, subscriptions, commanding, processManager, machinery);
        }

        private Housekeeping housekeeping(JdbcStore store) {
            Duration messages = relays > 0 ? storeOptions.retention() : Duration.ZERO;
            return Housekeeping.start(cleanupInterval, retention.jobs(store, outboxOptions.codec(), messages));
        }

        private Subscribers subscribers(Routes all, JdbcStore store, Inbox inbox) {
            return new Subscribers(
                    all, inbox, store.outboxStore(), store.failedStore(), store.waitingKeys(), inboxListener);
        }

        private Commanding commanding(JdbcStore store, Transactions joined, Outbox outbox) {
            var services = new ArrayList<>(handlers);
            handlersOn.forEach(service -> services.add(HandlerCandidate.of(service.apply(joined, outbox))));
            return new Commanding(
                    AutoCommandHandlerRegistry.of(services),
                    store.commandStore(),
                    outbox,
                    joined,
                    commandNaming,
                    commandRetries,
                    outboxOptions.codec(),
                    Time.system());
        }

        private ProcessManager processManager(
                JdbcStore store, Transactions joined, Outbox outbox, Commanding commanding, Routes all) {
            var commands = new BusCommands(commanding, outbox, outboxOptions.codec());
            var manager = new ProcessManager(ProcessManagerParts.of(
                            ProcessDefinitions.of(processes),
                            store.processStore(outboxOptions.codec()),
                            commands,
                            joined,
                            outboxOptions.codec(),
                            Time.system())
                    .withListener(processListener));
            commanding.listener(manager);
            all.prepend(commands.route(joined, manager));
            if (!processes.isEmpty()) {
                manager.checkVersions();
                Set<String> here = commanding.queues();
                manager.checkHandlers(type ->
                        here.contains(commandNaming.queueOf(type)) || all.leadToABroker(commandNaming.queueOf(type)));
            }
            return manager;
        }

        /** Every queue that cannot be received from is told at once, unless the broker does not even answer. */
        private void receiveCommands(CommandReceiver receiver, Subscriptions subscriptions, Commanding commanding) {
            var failures = new ArrayList<WaybillException>();
            if (commandsFrom != null) {
                Broker broker = subscriptions.broker(commandsFrom);
                for (String queue : commanding.queues()) {
                    var since = Time.system().stopwatch();
                    attempt(() -> subscriptions.from(broker, commandsOf(queue), receiver.commands(queue)), failures);
                    if (!failures.isEmpty() && since.hasReached(NO_ANSWER)) {
                        break;
                    }
                }
            }
            if (repliesFrom != null) {
                Broker broker = subscriptions.broker(repliesFrom);
                var options = SubscriptionOptions.to(commanding.replyQueue(), commanding.replyQueue());
                attempt(() -> subscriptions.from(broker, options.unordered(), receiver.replies()), failures);
            }
            if (!failures.isEmpty()) {
                throw new WaybillException(
                        failures.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")),
                        failures.get(0));
            }
        }

        private static void attempt(Supplier<Subscription> subscribing, List<WaybillException> failures) {
            try {
                Subscription unused = subscribing.get();
            } catch (WaybillException e) {
                failures.add(e);
            }
        }

        /** A group of its own for each queue: in Kafka those who join a group interrupt all who are in it. */
        private SubscriptionOptions commandsOf(String queue) {
            var options = SubscriptionOptions.to(queue, queue).concurrency(consumers);
            return commandsInOrder ? options : options.unordered();
        }

        private RelayLoop loop(JdbcStore store, Routes all, RelayListener told) {
            var relay = new Relay(store.outboxStore(), store.leaseStore(pool), all, relayOptions, Time.system(), told);
            return RelayLoop.start(relay, relayOptions);
        }
    }
}
