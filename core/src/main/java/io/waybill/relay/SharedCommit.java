package io.waybill.relay;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that messages share. What follows from one of them, and would be handled in this process, may be done in it as well: then it
 * need not be appended to the outbox, found there, and taken out of it again.
 *
 * <p>There is room for as many as may share a commit. When anything fails, everything is undone, and the messages go one by one, without
 * what follows from them.
 *
 * <p><i>Threads:</i> that of the handler.
 */
public final class SharedCommit {

    private static final ThreadLocal<@Nullable SharedCommit> CURRENT = new ThreadLocal<>();

    private final Routes routes;
    private final int room;
    private int admitted;
    private int turnedAway;

    /** @param room for how many that follow */
    SharedCommit(Routes routes, int room) {
        this.routes = routes;
        this.room = room;
    }

    /**
     * Whether the caller may do at once, in the transaction he is in, what this handler would do with a message to this destination. Then he
     * has to do it, and throw what it throws.
     */
    public static boolean admits(String destination, LocalHandler handler) {
        @Nullable SharedCommit current = CURRENT.get();
        return current != null && current.isHandledBy(handler, destination) && current.admit();
    }

    private boolean isHandledBy(LocalHandler handler, String destination) {
        return routes.to(destination)
                .filter(route -> route.target() instanceof Target.Handled handled && handled.handler() == handler)
                .isPresent();
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
        CURRENT.set(this);
        try {
            return work.get();
        } finally {
            CURRENT.remove();
        }
    }

    /** Whether anything that followed was done in it. */
    boolean wentOn() {
        return admitted > 0;
    }

    /** How much would follow, if there were room for all of it. */
    int wanted() {
        return admitted + turnedAway;
    }
}
