package io.waybill.runtime;

import io.waybill.Pace;
import io.waybill.Time;
import io.waybill.command.CommandNaming;
import io.waybill.command.execution.CommandReceiver;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.handler.HandlerCandidate;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.receive.Subscribers;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingSource;
import io.waybill.ops.OutboxOperations;
import io.waybill.ops.UnroutedDestination;
import io.waybill.ops.UnroutedMessages;
import io.waybill.ops.WaitingWatch;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.process.BusCommandSender;
import io.waybill.process.ProcessManager;
import io.waybill.process.ProcessManagerParts;
import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.store.StuckProcess;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.relay.route.ServedDestinations;
import io.waybill.store.Transactions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Puts an instance together as it was described. */
final class WaybillFactory {

    /** How much of what is due is done at once. */
    private static final int AT_ONCE = 100;

    /** How often it is looked which relays live: as often as they renew their leases. */
    private static final Duration REFRESH = Duration.ofSeconds(3);

    private final WaybillBuilder described;
    private final JdbcStore store;
    private final Transactions transactions;
    private final Lifecycle lifecycle;
    private final OutboxOptions outboxOptions;
    private final Outbox outbox;
    private final Routes routes;
    private final ServedDestinations served;

    /** Creates or checks the tables. */
    WaybillFactory(WaybillBuilder described) {
        described.retention.check(
                described.receivingOptions, described.consumers.takeCommands(), !described.processes.isEmpty());
        this.described = described;
        this.store = JdbcStore.on(described.dataSource, described.storeOptions, Time.system())
                .initializeSchema(described.initializeSchema);
        this.transactions = described.transactions == null ? store.transactions() : described.transactions;
        this.lifecycle = new Lifecycle(described.signals ? store.signals() : Optional.empty());
        this.routes = Routes.of(described.routes.toArray(Route[]::new));
        this.served = described.relays > 0
                ? new ServedDestinations(routes, store::served, described.unrouted)
                : new ServedDestinations(store::served, described.unrouted);
        this.outboxOptions = described.outboxOptions.wake(lifecycle::wake).destinations(served);
        this.outbox = Outbox.in(store.outboxStore(), transactions, outboxOptions);
    }

    Waybill waybill() {
        var inbox = new Inbox(store.inboxStore(), transactions, outbox);
        var subscriptions = new Subscriptions(
                subscribers(inbox), described.receivingOptions, described.relayOptions.closeTimeout());
        CommandRuntime commandRuntime = commandRuntime();
        commandRuntime.routes().forEach(routes::append);
        ProcessManager processes = processManager(commandRuntime);
        CommandReceiver receiver = receiver(commandRuntime, inbox);
        receiver.routes().forEach(routes::prepend);
        served.refresh();
        var refresh = new Pace(Clock.systemUTC(), REFRESH);
        var unrouted = new UnroutedMessages(new OutboxOperations(store.admin()), served, Clock.systemUTC());
        List<WaitingSource> waiting = List.of(
                () -> unrouted.found().stream()
                        .map(UnroutedDestination::waiting)
                        .toList(),
                () -> lifecycle.waiting(described.warnAfter),
                () -> processes.lastStuck().stream().map(StuckProcess::waiting).toList(),
                store.waiting(described.warnAfter));
        lifecycle
                .relays(described.relays, () -> relay(described.listener.and(commandRuntime.progress(routes))))
                .part(this::cleanupJob)
                .part(() -> WaitingWatch.start(described.warnAfter, waiting))
                .part(() -> DueTimer.start(() -> {
                    commandRuntime.expire(AT_ONCE);
                    processes.runDue(AT_ONCE);
                    processes.checkStuck();
                    refresh.run(served::refresh);
                    unrouted.look();
                }))
                .atStart(() -> described.consumers.start(receiver, subscriptions, commandRuntime))
                .atEnd(commandRuntime)
                .atEnd(described.opened);
        return new Waybill(
                store,
                transactions,
                outboxOptions,
                subscriptions,
                commandRuntime,
                processes,
                unrouted,
                lifecycle,
                waiting);
    }

    private Subscribers subscribers(Inbox inbox) {
        return new Subscribers(
                routes, inbox, store.outboxStore(), store.failedStore(), store.waitingKeys(), described.inboxListener);
    }

    private CommandReceiver receiver(CommandRuntime commandRuntime, Inbox inbox) {
        return new CommandReceiver(
                commandRuntime,
                inbox,
                store.outboxStore(),
                store.waitingKeys(),
                store.failedStore(),
                described.relayOptions.messagesPerCommit(),
                described.inboxListener);
    }

    private CommandRuntime commandRuntime() {
        var services = new ArrayList<>(described.handlers);
        described.handlersOn.forEach(service -> services.add(HandlerCandidate.of(service.apply(transactions, outbox))));
        described.processes.stream()
                .filter(process -> services.stream()
                        .noneMatch(service -> service.implementation().isInstance(process)))
                .map(HandlerCandidate::of)
                .toList()
                .forEach(services::add);
        return new CommandRuntime(
                AutoCommandHandlerRegistry.of(services),
                store.commandStore(),
                outbox,
                transactions,
                described.commandNaming,
                described.commandRetries,
                outboxOptions.codec(),
                Time.system());
    }

    private ProcessManager processManager(CommandRuntime commandRuntime) {
        PayloadCodec codec = outboxOptions.codec();
        var commands = new BusCommandSender(commandRuntime, outbox, codec);
        var manager = new ProcessManager(ProcessManagerParts.of(
                        ProcessDefinitions.of(described.processes),
                        store.processStore(codec),
                        commands,
                        transactions,
                        codec,
                        Time.system())
                .withListener(described.processListener)
                .withTraces(outboxOptions.listener()));
        commandRuntime.listener(manager);
        commands.routes(transactions, manager).forEach(routes::prepend);
        Set<String> handled = commandRuntime.queues();
        boolean takesReplies = described.consumers.takeReplies();
        commandRuntime.remote(queue -> routes.leadToABroker(queue) || (takesReplies && !handled.contains(queue)));
        if (!described.processes.isEmpty()) {
            manager.checkVersions();
            CommandNaming naming = described.commandNaming;
            manager.checkHandlers(
                    type -> handled.contains(naming.queueOf(type)) || routes.leadToABroker(naming.queueOf(type)));
        }
        return manager;
    }

    private RelayLoop relay(RelayListener listener) {
        var relay = new Relay(
                store.outboxStore(),
                store.leaseStore(described.pool),
                routes,
                described.relayOptions,
                Time.system(),
                listener);
        return RelayLoop.start(relay, described.relayOptions);
    }

    private CleanupJob cleanupJob() {
        Duration messages = described.relays > 0 ? described.storeOptions.retention() : Duration.ZERO;
        return CleanupJob.start(
                described.cleanupInterval, described.retention.jobs(store, outboxOptions.codec(), messages));
    }
}
