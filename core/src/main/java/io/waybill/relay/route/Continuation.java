package io.waybill.relay.route;

import io.waybill.message.Envelope;
import io.waybill.observe.ObservedCall;
import io.waybill.observe.RelayListener;
import java.util.function.Predicate;

/**
 * The room that is left in a commit that messages share. What follows from these messages, and would be handled in this process too, may be
 * handled in the same transaction instead: it is not appended to the outbox, found there, and taken out of it again.
 *
 * <p>When anything fails there, everything is rolled back, and the messages go one by one, without a continuation.
 *
 * <p><i>Threads:</i> that of the handler.
 */
public final class Continuation {

    /** Whatever follows goes through the outbox. */
    public static final Continuation NONE = new Continuation(Routes.of(), 0, none -> true, RelayListener.NONE);

    /** For tests: whether there is ever any room. */
    public static volatile boolean enabled = true;

    private final Routes routes;
    private final int room;
    private final Predicate<String> isPaused;
    private final RelayListener listener;
    private int admitted;
    private int turnedAway;

    private Continuation(Routes routes, int room, Predicate<String> isPaused, RelayListener listener) {
        this.routes = routes;
        this.room = room;
        this.isPaused = isPaused;
        this.listener = listener;
    }

    /**
     * Room for so many messages besides those that share the commit.
     *
     * @param isPaused the destinations whose messages have to wait in the outbox
     * @param listener goes around their handling too
     */
    public static Continuation withRoom(Routes routes, int room, Predicate<String> isPaused, RelayListener listener) {
        return enabled ? new Continuation(routes, room, isPaused, listener) : NONE;
    }

    /**
     * Whether the caller may do here and now what this handler would do with a message to this destination. Then the caller has to do it, and
     * throw what it throws.
     */
    public boolean admits(String destination, LocalHandler handler) {
        boolean leadsHere = this != NONE
                && !isPaused.test(destination)
                && routes.to(destination)
                        .filter(route ->
                                route.target() instanceof RouteTarget.Handled handled && handled.handler() == handler)
                        .isPresent();
        if (!leadsHere) {
            return false;
        }
        if (admitted == room) {
            turnedAway++;
            return false;
        }
        admitted++;
        return true;
    }

    /** Goes around the handling of what would have been this message; it has no context of a trace but that of the thread. */
    public ObservedCall handling(Envelope message) {
        return ObservedCall.guarded(() -> listener.handling(message));
    }

    /** The transaction begins, perhaps anew. */
    public void restart() {
        if (this != NONE) {
            admitted = 0;
            turnedAway = 0;
        }
    }

    /** Whether anything that followed was done in the same transaction. */
    public boolean wasUsed() {
        return admitted > 0;
    }

    /** How much would be done in the same transaction, if there were room for all of it. */
    public int wanted() {
        return admitted + turnedAway;
    }
}
