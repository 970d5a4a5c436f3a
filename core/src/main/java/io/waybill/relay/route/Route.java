package io.waybill.relay.route;

import io.waybill.Backoff;
import io.waybill.WaybillException;
import io.waybill.message.DestinationPattern;
import io.waybill.message.Envelope;
import io.waybill.store.Transactions;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * Sends destinations to a broker or to a handler in this process, with the number of attempts.
 *
 * @param pattern the destinations it is for
 * @param maxAttempts how often a message may be refused before it has failed
 * @param onExhausted what then becomes of its key
 */
public record Route(
        DestinationPattern pattern, RouteTarget target, int maxAttempts, Backoff backoff, OnExhausted onExhausted) {

    public static final int DEFAULT_MAX_ATTEMPTS = 10;

    public Route {
        if (maxAttempts < 1) {
            throw new WaybillException("max-attempts (" + maxAttempts + ") of route '" + pattern
                    + "' must be at least 1, or nothing would ever be sent.");
        }
        if (target instanceof RouteTarget.Sent sent && sent.name().isBlank()) {
            throw new WaybillException("The name of route '" + pattern + "' at its broker is empty. Write '"
                    + RouteTarget.Sent.DESTINATION + "' to keep the destination, or for example 'shop."
                    + RouteTarget.Sent.DESTINATION + "'.");
        }
    }

    /** These destinations go to this broker, with the defaults: as they are, ten attempts, then the key is parked. */
    public static Route of(String pattern, Transport transport) {
        return to(pattern, new RouteTarget.Sent(transport, WireFormat.PLAIN, RouteTarget.Sent.DESTINATION));
    }

    /** The same for a publisher that all relays may share. */
    public static Route of(String pattern, Publisher publisher) {
        return of(pattern, Transport.of(publisher));
    }

    /** Messages for these destinations are handled in this process, each in the transaction that takes it out of the outbox. */
    public static Route handled(String pattern, Transactions transactions, LocalHandler handler) {
        return to(
                pattern,
                new RouteTarget.Handled(
                        transactions, handler, Optional.empty(), (message, error) -> false, attempt -> {}, true));
    }

    /** Messages for these destinations go to their handlers in this process, whatever routes to brokers there are behind this one. */
    public static Route local(String pattern) {
        return to(pattern, new RouteTarget.Here());
    }

    private static Route to(String pattern, RouteTarget target) {
        return new Route(
                DestinationPattern.of(pattern), target, DEFAULT_MAX_ATTEMPTS, Backoff.DEFAULT, OnExhausted.PARK);
    }

    /** How messages look on the wire. */
    public Route format(WireFormat format) {
        RouteTarget.Sent sent = sent("format");
        return with(new RouteTarget.Sent(sent.transport(), format, sent.name()));
    }

    /** What the broker calls the destination: {@code shop.{destination}}, or one name for all of them. */
    public Route named(String name) {
        RouteTarget.Sent sent = sent("name");
        return with(new RouteTarget.Sent(sent.transport(), sent.format(), name));
    }

    /** The same with another handler. */
    public Route handledBy(LocalHandler handler) {
        RouteTarget.Handled handled = handled();
        return with(new RouteTarget.Handled(
                handled.transactions(),
                handler,
                handled.exhausted(),
                handled.hopeless(),
                handled.retried(),
                handled.kept()));
    }

    /** What becomes of a message that its handler could not handle, instead of staying in the outbox as failed. */
    public Route whenExhausted(RouteTarget.Exhausted exhausted) {
        RouteTarget.Handled handled = handled();
        return with(new RouteTarget.Handled(
                handled.transactions(),
                handled.handler(),
                Optional.of(exhausted),
                handled.hopeless(),
                handled.retried(),
                handled.kept()));
    }

    /** Which errors of a handler are of no use to try again: the message counts as exhausted at once. */
    public Route giveUpWhen(BiPredicate<Envelope, Throwable> hopeless) {
        RouteTarget.Handled handled = handled();
        return with(new RouteTarget.Handled(
                handled.transactions(),
                handled.handler(),
                handled.exhausted(),
                hopeless,
                handled.retried(),
                handled.kept()));
    }

    /** The listener for attempts that failed and are repeated. */
    public Route whenRetried(Consumer<RouteTarget.FailedAttempt> retried) {
        RouteTarget.Handled handled = handled();
        return with(new RouteTarget.Handled(
                handled.transactions(),
                handled.handler(),
                handled.exhausted(),
                handled.hopeless(),
                retried,
                handled.kept()));
    }

    /** What was handled is not kept in the outbox, whatever its retention: it is written down elsewhere. */
    public Route removing() {
        RouteTarget.Handled handled = handled();
        return with(new RouteTarget.Handled(
                handled.transactions(),
                handled.handler(),
                handled.exhausted(),
                handled.hopeless(),
                handled.retried(),
                false));
    }

    private RouteTarget.Handled handled() {
        if (target instanceof RouteTarget.Handled handled) {
            return handled;
        }
        throw new WaybillException(
                "The route '" + pattern + "' leads to a broker: what it refuses stays in the outbox.");
    }

    public Route maxAttempts(int attempts) {
        return new Route(pattern, target, attempts, backoff, onExhausted);
    }

    public Route backoff(Backoff backoff) {
        return new Route(pattern, target, maxAttempts, backoff, onExhausted);
    }

    public Route onExhausted(OnExhausted onExhausted) {
        return new Route(pattern, target, maxAttempts, backoff, onExhausted);
    }

    private RouteTarget.Sent sent(String what) {
        if (target instanceof RouteTarget.Sent sent) {
            return sent;
        }
        throw new WaybillException("The route '" + pattern + "' leads to a handler in this process, so it has no "
                + what + " at a broker.");
    }

    private Route with(RouteTarget target) {
        return new Route(pattern, target, maxAttempts, backoff, onExhausted);
    }
}
