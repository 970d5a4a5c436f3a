package io.waybill.relay;

import io.waybill.relay.route.Workers;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.Lease;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads the batch behind the one that is being published, while the broker is waited for. It is used only if nothing has come between: every
 * message of the batch before it has been settled, under the same leases, with nothing else in flight. What waits behind a refused message
 * is blocked in it, although the claim could not know. Otherwise it is thrown away: a claim writes nothing.
 *
 * <p><i>Threads:</i> the relay's own; the claim has another.
 */
final class Prefetch implements AutoCloseable {

    /** For tests: whether anything is read. */
    static volatile boolean enabled = true;

    private final ExecutorService worker = Workers.named("prefetch");
    private @Nullable Future<Claim> next;
    private List<Lease> leases = List.of();
    private State state = State.PIPELINING;
    private Set<Key> stopped = Set.of();

    /** Starts to claim for the owner of these leases. */
    void start(List<Lease> leases, Callable<Claim> claim) {
        if (enabled) {
            this.leases = leases;
            this.next = worker.submit(claim);
        }
    }

    /** What is known about the batch before. */
    enum State {

        /** All of it has been settled and nothing is in flight: the next batch may be the one that was prefetched. */
        PIPELINING,

        /** Something of it is in flight or was not settled. The next batch may have to wait: it is claimed anew, and nothing is prefetched. */
        RECOVERING
    }

    /** What is being claimed is not to be used. */
    void outdate() {
        state = State.RECOVERING;
    }

    /** A batch begins. Until it is {@link #settled}, the relay is recovering. */
    State begin(boolean nothingInFlight) {
        State before = nothingInFlight ? state : State.RECOVERING;
        state = State.RECOVERING;
        return before;
    }

    /** Nothing was in flight but the last batch, and all of it has been settled; messages of these keys have to wait. */
    void settled(Set<Key> stoppedKeys) {
        state = State.PIPELINING;
        stopped = stoppedKeys;
    }

    /** What was claimed, unless these are other leases. */
    Claim take(List<Lease> leases) {
        Claim claim = claimed();
        Set<Key> stopped = this.stopped;
        this.stopped = Set.of();
        if (!this.leases.equals(leases)) {
            return Claim.NOTHING;
        }
        return stopped.isEmpty()
                ? claim
                : new Claim(
                        claim.messages().stream()
                                .map(message -> inItsState(message, stopped))
                                .toList(),
                        claim.cut());
    }

    private static ClaimedMessage inItsState(ClaimedMessage message, Set<Key> stopped) {
        boolean waits = message.envelope().isOrdered() && stopped.contains(Key.of(message.envelope()));
        return waits ? message.blocked() : message;
    }

    /** Nothing as well when the claim has failed: the next one will say why. */
    private Claim claimed() {
        Future<Claim> claim = next;
        next = null;
        if (claim == null) {
            return Claim.NOTHING;
        }
        try {
            return claim.get();
        } catch (ExecutionException e) {
            return Claim.NOTHING;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Claim.NOTHING;
        }
    }

    @Override
    public void close() {
        worker.shutdown();
    }
}
