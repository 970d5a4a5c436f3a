package io.waybill.relay;

import io.waybill.message.Envelope;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What follows from messages that are being handled, and would be handled in this process too. It need not be appended to the outbox, found
 * there, and taken out of it again, if whoever handles the messages does it as well: in the same transaction, where messages share one and there
 * is room; else in the next, for which the message that is being handled stays in the outbox.
 *
 * <p>When anything fails in a transaction that is shared, everything is undone, and the messages go one by one, without what follows from them.
 *
 * <p><i>Threads:</i> that of the handler.
 */
public final class Following {

    private static final ThreadLocal<@Nullable Following> CURRENT = new ThreadLocal<>();

    private final Routes routes;
    private final int room;
    private final @Nullable Envelope handled;
    private final BooleanSupplier stays;
    private int admitted;
    private int turnedAway;
    private @Nullable Next next;

    /** What is done next, and by which route it would have come. */
    record Next(Route route, Envelope message) {}

    private Following(Routes routes, int room, @Nullable Envelope handled, BooleanSupplier stays) {
        this.routes = routes;
        this.room = room;
        this.handled = handled;
        this.stays = stays;
    }

    /** In the same transaction, as far as there is room. */
    static Following inOneCommit(Routes routes, int room) {
        return new Following(routes, room, null, () -> false);
    }

    /** Only by the outbox. */
    static Following byTheOutbox(Routes routes) {
        return inOneCommit(routes, 0);
    }

    /**
     * In the next transaction.
     *
     * @param handled the message that is handled in this one
     * @param stays whether whoever handles it may go on with another
     */
    static Following inTheNextCommit(Routes routes, Envelope handled, BooleanSupplier stays) {
        return new Following(routes, 0, handled, stays);
    }

    /**
     * Whether the caller may do at once, in the transaction he is in, what this handler would do with a message to this destination. Then he
     * has to do it, and throw what it throws.
     */
    public static boolean isDoneNow(String destination, LocalHandler handler) {
        @Nullable Following current = CURRENT.get();
        return current != null && current.route(destination, handler).isPresent() && current.admit();
    }

    /**
     * Whether this message is handed to its handler as soon as the transaction is committed, so that it need not be appended. Then the one
     * that is being handled stays in the outbox until that is over, and comes again if it is not: with it, the handler has to find what was
     * left undone.
     *
     * @param after which message has to be the one that is being handled, by this handler too
     */
    public static boolean isDoneNext(
            Predicate<Envelope> after, String destination, LocalHandler handler, Supplier<Envelope> message) {
        @Nullable Following current = CURRENT.get();
        if (current == null || !current.goesOn(after, handler)) {
            return false;
        }
        Optional<Next> next = current.route(destination, handler).map(route -> new Next(route, message.get()));
        current.next = next.orElse(null);
        return next.isPresent();
    }

    private boolean goesOn(Predicate<Envelope> after, LocalHandler handler) {
        return handled != null
                && next == null
                && route(handled.destination(), handler).isPresent()
                && after.test(handled)
                && stays.getAsBoolean();
    }

    /** The route to this handler, if that is where messages to the destination go. */
    private Optional<Route> route(String destination, LocalHandler handler) {
        return routes.to(destination)
                .filter(route -> route.target() instanceof Target.Handled handled && handled.handler() == handler);
    }

    private boolean admit() {
        boolean admits = admitted < room;
        if (admits) {
            admitted++;
        } else {
            turnedAway++;
        }
        return admits;
    }

    /** Runs this on the thread that has the transaction, from the beginning. */
    <T> T with(Supplier<T> work) {
        admitted = 0;
        turnedAway = 0;
        next = null;
        CURRENT.set(this);
        try {
            return work.get();
        } finally {
            CURRENT.remove();
        }
    }

    /** Whether anything that followed was done in the same transaction. */
    boolean wentOn() {
        return admitted > 0;
    }

    /** How much would be done in the same transaction, if there were room for all of it. */
    int wanted() {
        return admitted + turnedAway;
    }

    Optional<Next> next() {
        return Optional.ofNullable(next);
    }
}
