package io.waybill.command.execution;

import io.waybill.Time;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandReply;
import io.waybill.command.CommandRetries;
import io.waybill.command.ReplyListener;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStore;
import io.waybill.inbox.receive.FailureLog;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.ObservedCall;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.relay.route.Continuation;
import io.waybill.relay.route.LocalHandler;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands on one database: the bus that accepts them, the routes that bring them to handlers in this process, and what takes those
 * that come from a broker.
 *
 * <p><i>Threads:</i> safe.
 */
public final class CommandRuntime implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CommandRuntime.class);

    private final AutoCommandHandlerRegistry handlers;
    private final CommandStore store;
    private final Outbox outbox;
    private final Transactions transactions;
    private final CommandNaming naming;
    private final CommandRetries retries;
    private final ReplyWaiters waiters;
    private final CommandExecution execution;
    private final CommandBus bus;
    private final LocalHandler handler;
    private final FailureLog failureLog;
    private volatile Predicate<String> remote = queue -> false;

    public CommandRuntime(
            AutoCommandHandlerRegistry handlers,
            CommandStore store,
            Outbox outbox,
            Transactions transactions,
            CommandNaming naming,
            CommandRetries retries,
            PayloadCodec codec,
            Time time) {
        this.handlers = handlers;
        this.store = store;
        this.outbox = outbox.unrefusing();
        this.transactions = transactions;
        this.naming = naming;
        this.retries = retries;
        this.waiters = new ReplyWaiters(store, new ReplyJson(codec));
        this.execution = new CommandExecution(handlers, store, this.outbox, codec, retries, waiters);
        this.failureLog = new FailureLog(CommandFailureHandling.HANDLER, time);
        this.handler = LocalHandler.inTwoParts(execution::execute);
        this.bus = new StoredCommandBus(handlers, store, outbox, transactions, naming, codec, waiters, time);
        if (!handlers.types().isEmpty()) {
            log.info("{}", handlers.describe());
        }
    }

    public CommandBus bus() {
        return bus;
    }

    /** Which method handles which type of command here. */
    public AutoCommandHandlerRegistry handlers() {
        return handlers;
    }

    /** Takes the replies of commands that are for it, in the transaction that ends them. */
    public void listener(ReplyListener listener) {
        execution.listener(listener);
    }

    /**
     * Which queues lead, or may lead, to handlers on other databases. Commands in the others are handled on this database: when they are given
     * up, they cannot take effect any more.
     */
    public void remote(Predicate<String> queues) {
        remote = queues;
    }

    /** The routes to the handlers of this process, and to those that await replies here. */
    public List<Route> routes() {
        return Stream.concat(
                        queues().stream().map(this::route),
                        Stream.of(Route.handled(naming.replyQueue(), transactions, execution::takeReply)
                                .maxAttempts(Integer.MAX_VALUE)
                                .giveUpWhen((message, error) -> error instanceof UnknownReplyException)))
                .toList();
    }

    /** The queues whose commands have their handlers here. */
    public Set<String> queues() {
        var queues = new TreeSet<String>();
        handlers.types().forEach(type -> queues.add(naming.queueOf(type)));
        return queues;
    }

    /** The types of commands that are handled in this process and do not go through a broker on the way. */
    public Set<String> handledHere() {
        return handlers.types().stream()
                .filter(type -> !remote.test(naming.queueOf(type)))
                .collect(Collectors.toSet());
    }

    public String replyQueue() {
        return naming.replyQueue();
    }

    private Route route(String queue) {
        return patiently(Route.handled(queue, transactions, handler))
                .removing()
                .whenExhausted(
                        (message, attempts, error, transaction) -> execution.failed(message, error, transaction));
    }

    /** The route with the patience of commands. */
    Route patiently(Route route) {
        return route.maxAttempts(retries.maxAttempts())
                .backoff(retries.backoff())
                .whenRetried(failureLog::retried)
                .giveUpWhen(execution::isHopeless);
    }

    /** Whether a command is tried again after this error. */
    boolean triesAgain(Envelope command, Throwable error) {
        return retries.maxAttempts() > 1 && !execution.isHopeless(command, error);
    }

    /**
     * Sends commands for something else, in its transaction: a first attempt is written, a later one of the same command begins it
     * anew. Replies go to a {@link #listener}.
     */
    public void dispatch(Transaction transaction, List<CommandDispatch> dispatches) {
        List<CommandRecord> first = dispatches.stream()
                .map(CommandDispatch::command)
                .filter(command -> command.attempt() == 1)
                .toList();
        if (!first.isEmpty()) {
            store.insertNew(transaction, first);
        }
        dispatches.stream()
                .map(CommandDispatch::command)
                .filter(command -> command.attempt() > 1)
                .forEach(command -> store.begin(transaction, command.commandId(), command.attempt()));
        outbox.append(dispatches.stream().map(this::message).toList());
    }

    /**
     * Runs the first attempt of a command for something else, in its transaction, instead of sending it: where its handler is in this process
     * and the transaction has room for it. When the handler fails, so does the transaction, and the command is sent when it is repeated.
     *
     * @return the reply; nothing when the command has to be sent
     */
    public Optional<CommandReply> run(Transaction transaction, CommandDispatch dispatch, Continuation continuation) {
        CommandRecord command = dispatch.command();
        String queue = naming.queueOf(command.type());
        boolean isRunHere =
                command.attempt() == 1 && dispatch.refuses().isEmpty() && continuation.admits(queue, handler);
        if (!isRunHere) {
            return Optional.empty();
        }
        ObservedCall call = continuation.handling(CommandMessage.inline(command, queue, dispatch.partitionKey()));
        String error = "";
        try {
            return Optional.of(call.run(() -> execution.executeNew(command, transaction)));
        } catch (RuntimeException | Error e) {
            error = e.toString();
            throw e;
        } finally {
            call.end(error);
        }
    }

    /**
     * What is known of commands that their sender may give up: completed with this reply, not done and so it can be {@link #giveUp given up},
     * or in doubt because its handler is on another database. No handler on this database completes one of them until the transaction ends.
     */
    public Map<UUID, CommandReply> lock(Transaction transaction, Collection<UUID> commandIds) {
        return store.lock(transaction, commandIds).stream()
                .collect(Collectors.toMap(
                        CommandRecord::commandId,
                        command -> execution.known(command, remote.test(naming.queueOf(command.type())))));
    }

    /** Its sender waits no longer for this attempt: a handler on this database cannot complete it any more. */
    public void giveUp(Transaction transaction, UUID commandId, int attempt, String why) {
        execution.giveUp(commandId, attempt, why, transaction);
    }

    private Message message(CommandDispatch dispatch) {
        CommandRecord command = dispatch.command();
        return CommandMessage.of(
                        command, naming.queueOf(command.type()), naming.replyQueue(), CommandMessage.byRules(dispatch))
                .inOrderOf(dispatch.partitionKey())
                .id(CommandMessage.id(command.commandId(), command.attempt()));
    }

    /** Runs a command that a broker has delivered, once, and replies by a message. */
    public void received(Envelope command, Transaction transaction) throws Exception {
        execution.executeForeign(command, transaction);
    }

    /** Replies for a command from a broker that its handler could not handle. */
    public void replyWithFailure(Envelope command, Throwable error, Transaction transaction) {
        execution.failedForeign(command, error, transaction);
    }

    /** Takes a reply that a broker has delivered. */
    public void takeReply(Envelope reply, Transaction transaction) {
        execution.takeReply(reply, transaction);
    }

    /** Keeps the status of commands that take more than one commit; relays that use these routes tell it. */
    public RelayListener progress(Routes routes) {
        return new CommandProgress(store, routes);
    }

    /** Ends commands whose time is over. Returns how many. */
    public int expire(int limit) {
        int expired = 0;
        for (CommandRecord command : store.overdue(limit)) {
            boolean ended = transactions.inTransaction(transaction -> execution.expire(command, transaction));
            expired += ended ? 1 : 0;
        }
        return expired;
    }

    @Override
    public void close() {
        waiters.close();
    }
}
