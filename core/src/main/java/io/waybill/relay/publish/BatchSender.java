package io.waybill.relay.publish;

import io.waybill.Time;
import io.waybill.message.Envelope;
import io.waybill.message.StorableMessage;
import io.waybill.message.UuidV7;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.handle.HandlerPool;
import io.waybill.relay.handle.HandlerResult;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.route.PublisherPool;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.RouteTarget;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The middle of a cycle: a claimed batch goes to its brokers, and their answers become settlements. */
public final class BatchSender {

    private static final Logger log = LoggerFactory.getLogger(BatchSender.class);

    private final Routes routes;
    private final InFlightPublishes publishes;
    private final HandlerPool handlers;
    private final CircuitBreakers circuits;
    private final DoubtfulMessages doubts = new DoubtfulMessages();
    private final RefusedMessages refusals;
    private final RelayListener listener;
    private final Time time;

    public BatchSender(
            Routes routes,
            InFlightPublishes publishes,
            HandlerPool handlers,
            CircuitBreakers circuits,
            RelayListener listener,
            Time time) {
        this.routes = routes;
        this.publishes = publishes;
        this.handlers = handlers;
        this.circuits = circuits;
        this.listener = listener;
        this.time = time;
        this.refusals = new RefusedMessages(time);
    }

    /** The destinations that refuse messages. */
    public List<WaitingItem> refusing() {
        return refusals.waiting();
    }

    /** Makes ready what goes to brokers, and starts to handle what is handled here. Returns what is settled without either. */
    public Settlements start(List<ClaimedMessage> batch, HeldShards held) {
        var settlements = Settlements.none();
        for (List<ClaimedMessage> messages : together(sendable(batch, settlements))) {
            if (!held.deadline().hasPassed()) {
                listener.claimed(envelopes(messages));
                Route route = route(messages.get(0));
                if (route.target() instanceof RouteTarget.Sent) {
                    publishes.add((PublisherPool.Line) companions(messages.get(0)), messages, named(messages), held);
                } else {
                    handlers.start(route, messages, held);
                }
            }
        }
        return settlements;
    }

    /** Whether messages of the lane are handled here, and do not go to a broker. */
    public boolean isHandled(Lane lane) {
        return routes.to(lane.destination())
                .filter(route -> !(route.target() instanceof RouteTarget.Sent))
                .isPresent();
    }

    /** What handlers here are working on. */
    public ClaimExclusions handled() {
        return handlers.exclusions();
    }

    /** One list for each line or handler; where a message goes is found out once for each destination. */
    private Collection<List<ClaimedMessage>> together(List<ClaimedMessage> messages) {
        Map<Object, List<ClaimedMessage>> together = new LinkedHashMap<>();
        Map<String, List<ClaimedMessage>> byDestination = new HashMap<>();
        for (ClaimedMessage message : messages) {
            byDestination
                    .computeIfAbsent(
                            message.envelope().destination(),
                            none -> together.computeIfAbsent(companions(message), first -> new ArrayList<>()))
                    .add(message);
        }
        return together.values();
    }

    /** What a route's messages share on their way: the line to a broker, or their handler. */
    private Object companions(ClaimedMessage message) {
        Route route = route(message);
        return route.target() instanceof RouteTarget.Sent sent
                ? sent.line(message.envelope().destination())
                : route;
    }

    /** What became of messages that were handled here: the handled ones are settled already. */
    public void settle(HandlerResult end, Settlements settlements) {
        ClaimedMessage message = end.message();
        if (end.result() instanceof HandlerResult.Handled) {
            accepted(message, settlements);
        } else if (end.result() instanceof HandlerResult.FailedForGood last) {
            // Not a warning: it was recorded already, as a reply or as a failed message.
            log.debug("Message {} has failed: {}", message.envelope().id(), last.error());
            listener.failed(message.envelope(), last.attempts(), last.error());
        } else if (end.result() instanceof HandlerResult.Failed failed) {
            handlerFailed(message, failed, settlements);
        } else if (end.result() instanceof HandlerResult.RolledBack rolledBack) {
            unavailable(message, rolledBack.error());
        }
    }

    /** Notifies the listener of what was handled, and leaves what is still to be settled. */
    public void notifyHandled(Settlements settlements) {
        var handled = Settlements.none();
        handled.dispatched().addAll(settlements.dispatched());
        settlements.dispatched().clear();
        notifySettled(handled);
    }

    /** What may go to a publisher. The rest is settled here: it cannot be read, or is behind something that cannot be sent. */
    private List<ClaimedMessage> sendable(List<ClaimedMessage> batch, Settlements settlements) {
        Set<Key> stopped = new HashSet<>();
        Map<String, String> unroutable = new HashMap<>();
        var sendable = new ArrayList<ClaimedMessage>(batch.size());
        for (ClaimedMessage message : batch) {
            if (message.state() == State.BLOCKED
                    || (!stopped.isEmpty() && stopped.contains(Key.of(message.envelope())))) {
                settlements.held().add(message);
                continue;
            }
            String problem = message.isSendable()
                    ? unroutable.computeIfAbsent(message.envelope().destination(), none -> whyUnroutable(message))
                    : message.problem();
            if (problem.isEmpty()) {
                sendable.add(message);
            } else {
                settlements.failures().addAll(failed(message, problem).failures());
                if (message.envelope().isOrdered() && route(message).onExhausted() != OnExhausted.SKIP) {
                    stopped.add(Key.of(message.envelope()));
                }
            }
        }
        return sendable;
    }

    /** Why nothing with this destination can be sent: its name is one that the route cannot use. */
    private String whyUnroutable(ClaimedMessage message) {
        try {
            if (route(message).target() instanceof RouteTarget.Sent sent) {
                sent.named(message.envelope());
            }
            return "";
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            return "Its destination cannot be used: " + e + ". Fix the row and replay it.";
        }
    }

    private List<Envelope> named(List<ClaimedMessage> messages) {
        var named = new ArrayList<Envelope>(messages.size());
        for (ClaimedMessage message : messages) {
            Envelope sent = StorableMessage.restored(message.envelope());
            named.add(((RouteTarget.Sent) route(message).target()).named(sent));
        }
        return named;
    }

    public int maxAttempts(ClaimedMessage message) {
        return route(message).maxAttempts();
    }

    /** The message is given up without being sent. */
    public Settlements failed(ClaimedMessage message, String reason) {
        var settlements = Settlements.none();
        settlements
                .failures()
                .add(new Settlements.Failure(message, reason, route(message).onExhausted()));
        return settlements;
    }

    /** What its broker has answered. */
    public void settle(InFlightPublishes.Batch batch, Settlements settlements) {
        List<ClaimedMessage> messages = batch.messages();
        List<Outcome> outcomes = batch.outcomes();
        Set<Key> waiting = new HashSet<>();
        Map<ClaimedMessage, String> down = new LinkedHashMap<>();
        int accepted = settlements.dispatched().size();
        for (int i = 0; i < messages.size(); i++) {
            ClaimedMessage message = messages.get(i);
            Outcome outcome = blamed(batch.line(), message, outcomes.get(i));
            if (!settle(message, outcome, waiting, settlements)) {
                settlements.returned().add(message);
            }
            if (outcome instanceof Outcome.Inconclusive failing) {
                down.putIfAbsent(message, failing.reason());
            }
        }
        if (settlements.dispatched().size() > accepted) {
            doubts.accepted(batch.line());
        } else {
            down.forEach(this::unavailable);
        }
    }

    /** A message that is known to be the reason is refused. */
    private Outcome blamed(PublisherPool.Line line, ClaimedMessage message, Outcome outcome) {
        return outcome instanceof Outcome.Inconclusive unclear
                        && doubts.isToBlame(line, message.envelope().id())
                ? new Outcome.Refused(unclear.reason())
                : outcome;
    }

    private boolean settle(ClaimedMessage message, Outcome outcome, Set<Key> waiting, Settlements settlements) {
        // Nearly all of them: nothing is made for these.
        if (outcome instanceof Outcome.Accepted) {
            return accepted(message, settlements);
        }
        return outcome.fold(
                () -> accepted(message, settlements),
                refused -> {
                    if (stopsItsKey(message)) {
                        waiting.add(Key.of(message.envelope()));
                    }
                    return refused(message, refused.reason(), settlements);
                },
                away -> unavailable(message, away.reason()),
                unclear -> {
                    waiting.add(Key.of(message.envelope()));
                    return settlements
                            .retries()
                            .add(new Settlements.Retry(
                                    message,
                                    unclear.reason(),
                                    route(message).backoff().delay(1),
                                    false));
                },
                wrong -> misconfigured(message, wrong.reason()),
                () -> message.envelope().isOrdered()
                        && waiting.contains(Key.of(message.envelope()))
                        && settlements.held().add(message));
    }

    private boolean accepted(ClaimedMessage message, Settlements settlements) {
        if (circuits.accepted(message.envelope().destination())) {
            log.info("WB-128 {} accepts messages again.", message.envelope().destination());
            listener.resumed(message.envelope().destination());
        }
        return settlements.dispatched().add(message);
    }

    private void handlerFailed(ClaimedMessage message, HandlerResult.Failed failed, Settlements settlements) {
        Route route = route(message);
        if (route.target() instanceof RouteTarget.Handled hopeless
                && hopeless.hopeless().test(message.envelope(), failed.cause())) {
            settlements.failures().add(new Settlements.Failure(message, failed.error(), route.onExhausted()));
            return;
        }
        int retries = settlements.retries().size();
        refused(message, failed.error(), settlements);
        if (settlements.retries().size() > retries && route.target() instanceof RouteTarget.Handled handled) {
            handled.retried()
                    .accept(new RouteTarget.FailedAttempt(
                            message.envelope(),
                            message.attempts() + 1,
                            route.maxAttempts(),
                            settlements.retries().get(retries).delay(),
                            failed.cause()));
        }
    }

    private boolean refused(ClaimedMessage message, String reason, Settlements settlements) {
        Route route = route(message);
        int attempts = message.attempts() + 1;
        return attempts < route.maxAttempts()
                ? settlements
                        .retries()
                        .add(new Settlements.Retry(
                                message, reason, route.backoff().delay(attempts)))
                : settlements.failures().add(new Settlements.Failure(message, reason, route.onExhausted()));
    }

    /** Whether what comes after it has to wait once it has been refused. */
    private boolean stopsItsKey(ClaimedMessage message) {
        Route route = route(message);
        return message.attempts() + 1 < route.maxAttempts() || route.onExhausted() != OnExhausted.SKIP;
    }

    private boolean unavailable(ClaimedMessage message, String reason) {
        String destination = message.envelope().destination();
        if (circuits.unavailable(destination, reason)) {
            log.warn("WB-102 {} is not available; its messages wait, and the relay retries: {}", destination, reason);
            listener.paused(destination, reason, false);
        }
        return false;
    }

    private boolean misconfigured(ClaimedMessage message, String reason) {
        String destination = message.envelope().destination();
        if (circuits.misconfigured(destination, reason)) {
            log.warn(
                    "WB-103 Nothing can be published to {} until its configuration is fixed; the relay checks it every"
                            + " minute: {}",
                    destination,
                    reason);
            listener.paused(destination, reason, true);
        }
        return false;
    }

    private Route route(ClaimedMessage message) {
        return routes.to(message.envelope().destination()).orElseThrow();
    }

    /** Notifies of what was published and could not be settled: it is published again, here or by another relay. */
    public void notifyUnsettled(int messages) {
        if (messages > 0) {
            listener.unsettled(messages);
        }
    }

    /** Notifies the listener of what has been settled. */
    public void notifySettled(Settlements settled) {
        if (!settled.dispatched().isEmpty()) {
            List<Envelope> published = envelopes(settled.dispatched());
            listener.published(published, lag(published));
            settled.dispatched().forEach(refusals::settled);
        }
        settled.retries().stream()
                .filter(retry -> retry.counted() && route(retry.message()).target() instanceof RouteTarget.Sent)
                .forEach(retry ->
                        refusals.refused(retry.message(), retry.error(), maxAttempts(retry.message()), retry.delay()));
        settled.failures().forEach(failure -> refusals.settled(failure.message()));
        settled.retries()
                .forEach(retry ->
                        listener.retried(retry.message().envelope(), retry.attempts(), retry.error(), retry.delay()));
        settled.failures().forEach(failure -> notifyFailed(failure.message(), failure.error()));
        if (!settled.held().isEmpty()) {
            listener.held(envelopes(settled.held()));
        }
    }

    private void notifyFailed(ClaimedMessage message, String error) {
        int attempts = message.attempts() + 1;
        log.warn(
                "WB-104 Message {} to {} failed after {} attempts and waits for 'waybill outbox replay' or"
                        + " 'discard': {}",
                message.label(),
                message.envelope().destination(),
                attempts,
                error);
        listener.failed(message.envelope(), attempts, error);
    }

    /** How old the first message is, as far as its id tells: reading it from the row would cost more than the rest of the row. */
    private Duration lag(List<Envelope> published) {
        return UuidV7.timeOf(published.get(0).id())
                .map(appended -> Duration.between(appended, time.clock().instant()))
                .orElse(Duration.ZERO);
    }

    private static List<Envelope> envelopes(List<ClaimedMessage> messages) {
        var envelopes = new ArrayList<Envelope>(messages.size());
        messages.forEach(message -> envelopes.add(message.envelope()));
        return envelopes;
    }
}
